-- The last number that a network gave in a year; counted in the transaction that issues the invoice, so that there are no
-- gaps.
create table invoice_counters (
  network_id integer not null references networks (id),
  year integer not null,
  last_number integer not null check (last_number between 1 and 999999),
  primary key (network_id, year)
);

-- Invoices and what takes them back. Of a credit note all amounts are negative.
create table invoices (
  id bigint generated always as identity primary key,
  network_id integer not null references networks (id),
  -- YYYY-000001: the year in the network's time zone, and its count.
  number text not null,
  kind text not null check (kind in ('INVOICE', 'CREDIT_NOTE')),
  -- The invoice that this takes back as a whole. One is credited once.
  credited_id bigint unique references invoices (id),
  -- Why it is taken back.
  reason text,
  -- Whose sessions they are; null: nobody known.
  user_id integer references users (id),
  currency char(3) not null,
  issued_at timestamptz not null,
  total_excl_vat_minor bigint not null,
  total_vat_minor bigint not null,
  total_incl_vat_minor bigint not null,
  session_count integer not null check (session_count > 0),
  -- Seller, buyer and sessions as they were told when it was issued.
  document jsonb not null,
  unique (network_id, number),
  check (total_excl_vat_minor + total_vat_minor = total_incl_vat_minor),
  check ((kind = 'CREDIT_NOTE') = (credited_id is not null) and (kind = 'CREDIT_NOTE') = (reason is not null))
);
create index on invoices (network_id, id desc);
create index on invoices (user_id, id desc) where user_id is not null;

create function refuse_invoice_change() returns trigger language plpgsql as $$
begin
  raise exception 'an invoice is never changed: it is credited';
end
$$;
create trigger invoice_immutable before update or delete on invoices
  for each row execute function refuse_invoice_change();
create trigger invoices_immutable before truncate on invoices
  for each statement execute function refuse_invoice_change();

-- What is on an invoice, to take it off again.
create index sessions_invoiced on sessions (network_id, invoice_number) where invoice_number is not null;
