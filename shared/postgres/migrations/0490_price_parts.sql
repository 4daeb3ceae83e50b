-- The price of a session has three parts (shared/pricing/price-state.ts): its state, how complete the readings are that it counts, and
-- an operator's decision. Flags that told the last two, or the state PENDING, are for readers alone from now on.
alter table sessions
  add column price_readings text not null default 'COMPLETE'
    check (price_readings in ('COMPLETE', 'MISSING', 'LATE', 'MISSING_LATE')),
  add column price_decision text check (price_decision in ('APPROVED', 'AMENDED'));

-- No price changes here: no fact, record, revision or message follows. Each statement reads the table once, and writes few rows.
alter table sessions disable trigger user;
-- Sessions that a gateway without price states ended.
update sessions set price_state = case when cost is not null then 'SETTLED'
  when tariff is not null and flags @> '{cost-pending}' then 'PENDING' else 'UNPRICED' end
where status = 'COMPLETED' and price_state = 'OPEN';
update sessions set
  price_readings = case
    when flags @> '{readings-late}' and price_state in ('REVIEW', 'SETTLED') and not flags && '{approved,corrected}'
      then case when flags @> '{readings-missing}' then 'MISSING_LATE' else 'LATE' end
    when flags @> '{readings-missing}' then 'MISSING' else 'COMPLETE' end,
  price_decision = case
    when flags @> '{corrected}' and price_state in ('PENDING', 'UNPRICED', 'SETTLED') then 'AMENDED'
    when flags @> '{approved}' and price_state in ('UNPRICED', 'SETTLED') then 'APPROVED' end
where flags && '{readings-late,readings-missing,corrected,approved}';
-- Flags that say something else than the price: there should be none.
update sessions set flags =
  array_remove(array_remove(array_remove(array_remove(flags, 'cost-pending'), 'readings-missing'), 'readings-late'), 'corrected')
  || case when price_state = 'PENDING' then '{cost-pending}' else '{}' end::text[]
  || case when price_readings in ('MISSING', 'MISSING_LATE') then '{readings-missing}' else '{}' end::text[]
  || case when price_readings in ('LATE', 'MISSING_LATE') then '{readings-late}' else '{}' end::text[]
  || case when price_decision = 'AMENDED' then '{corrected}' else '{}' end::text[]
where (flags @> '{cost-pending}') <> (price_state = 'PENDING')
  or (flags @> '{readings-missing}') <> (price_readings in ('MISSING', 'MISSING_LATE'))
  or (flags @> '{readings-late}') <> (price_readings in ('LATE', 'MISSING_LATE'))
  or (flags @> '{corrected}') <> (price_decision is not distinct from 'AMENDED');
alter table sessions enable trigger user;

alter table sessions
  -- Combinations that the transition table reaches.
  add constraint sessions_price_parts_check check (
    (price_readings in ('COMPLETE', 'MISSING') or (price_state in ('REVIEW', 'SETTLED') and price_decision is null))
    and (price_decision is null or price_state in ('UNPRICED', 'SETTLED')
      or (price_decision = 'AMENDED' and price_state = 'PENDING'))
    and (price_state <> 'OPEN' or price_readings = 'COMPLETE')),
  -- A process of a version before writes these flags alone: it fails here, and chargers repeat, rather than that a price is not made.
  add constraint sessions_price_flags_check check (
    (flags @> '{cost-pending}') = (price_state = 'PENDING')
    and (flags @> '{readings-missing}') = (price_readings in ('MISSING', 'MISSING_LATE'))
    and (flags @> '{readings-late}') = (price_readings in ('LATE', 'MISSING_LATE'))
    and (flags @> '{corrected}') = (price_decision is not distinct from 'AMENDED'));

-- In the words of the query, which runs each second (shared/postgres/charging/pending-costs.ts).
drop index sessions_price_due;
create index sessions_price_due on sessions (id)
  where (price_state = 'PENDING' or price_readings in ('LATE', 'MISSING_LATE')) and invoice_number is null;

-- A correction of a completed session leaves a revision. The first price of a session that waited for it corrects nothing.
drop trigger session_revision on sessions;
create trigger session_revision before update of started_at, ended_at, energy_wh, cost_minor, cost on sessions
  for each row when (old.status = 'COMPLETED'
    and not (old.price_state = 'PENDING' and old.price_decision is not distinct from new.price_decision
      and (old.ended_at, old.energy_wh) is not distinct from (new.ended_at, new.energy_wh))
    and (old.started_at, old.ended_at, old.energy_wh, old.cost_minor, old.cost)
      is distinct from (new.started_at, new.ended_at, new.energy_wh, new.cost_minor, new.cost))
  execute function keep_session_revision();
