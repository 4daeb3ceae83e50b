-- A network that invoices each session by itself has more than 999,999 of them in a year; its numbers grow longer then.
alter table invoice_counters
  drop constraint invoice_counters_last_number_check,
  add constraint invoice_counters_last_number_check check (last_number > 0);
