-- The running costs that stations with a cost display were sent (OCPP 2.0.1 I02). Each session is claimed by one process at a time.
create table shown_costs (
  session_id bigint primary key references sessions (id) on delete cascade,
  -- With VAT; null: not sent yet.
  total_minor bigint,
  claimed_at timestamptz not null
);
-- Which chargers show costs is asked at the end of each session.
create index on device_variables (charger_id) where lower(component) = 'tariffcostctrlr';
