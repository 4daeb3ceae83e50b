-- The price state of a session (shared/pricing/price-state.ts). Rows that exist are settled as they are, unless they run or have
-- no price: sessions that were flagged implausible and charged before this migration stay charged.
alter table sessions
  add column price_state text not null default 'SETTLED'
    check (price_state in ('OPEN', 'PENDING', 'UNPRICED', 'REVIEW', 'SETTLED')),
  -- The price of the highest plausible energy and duration, with VAT: what the wallet holds at most during a review.
  add column plausible_cost_minor bigint check (plausible_cost_minor >= 0);
-- The state is new: no fact, record or revision follows from it.
alter table sessions disable trigger user;
update sessions set price_state = case when status in ('ACTIVE', 'STOPPING') then 'OPEN'
  when flags @> '{cost-pending}' then 'PENDING' else 'UNPRICED' end
where status <> 'COMPLETED' or cost is null;
alter table sessions enable trigger user;
alter table sessions alter column price_state set default 'OPEN';

-- A session in review is billed by nothing yet. In the words of `transactionStatuses`.
alter table sessions drop column billing;
alter table sessions add column billing text not null generated always as (
  case when invoice_number is not null then 'INVOICED' when price_state = 'REVIEW' then 'REVIEW'
    when cost is not null then 'OPEN' when tariff is not null then 'PENDING' else 'UNPRICED' end
) stored;
create index sessions_billing_of_network on sessions (network_id, billing, ended_at desc, id desc) where status = 'COMPLETED';
create index sessions_in_review on sessions (started_at desc, id desc) where price_state = 'REVIEW';
analyze sessions;

-- A session in review has no CDR: its record is due when the review ends.
drop trigger cdr_due_changed on sessions;
create trigger cdr_due_changed after update on sessions
  for each row when (new.status = 'COMPLETED' and new.ocpi_partner_id is not null and new.cost is not null
    and new.price_state <> 'REVIEW'
    and (old.status, old.version, old.ocpi_partner_id, old.cost, old.price_state)
      is distinct from (new.status, new.version, new.ocpi_partner_id, new.cost, new.price_state))
  execute function mark_cdr();
drop trigger cdr_due_inserted on sessions;
create trigger cdr_due_inserted after insert on sessions
  for each row when (new.status = 'COMPLETED' and new.ocpi_partner_id is not null and new.cost is not null
    and new.price_state <> 'REVIEW')
  execute function mark_cdr();
