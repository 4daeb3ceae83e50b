-- Where the billing of a session stands is listed and counted: from an index, without reading what it is told from. The words are
-- those of `transactionStatuses`.
alter table sessions add column billing text not null generated always as (
  case when invoice_number is not null then 'INVOICED' when cost is not null then 'OPEN'
    when tariff is not null then 'PENDING' else 'UNPRICED' end
) stored;
create index sessions_billing_of_network on sessions (network_id, billing, ended_at desc, id desc) where status = 'COMPLETED';
-- Who sees every network lists sessions by their start, and transactions by their end, alone.
create index sessions_started on sessions (started_at desc, id desc);
create index sessions_ended on sessions (ended_at desc, id desc) where status = 'COMPLETED';
-- A new column has no statistics.
analyze sessions;
