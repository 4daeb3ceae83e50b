-- What an operator must look at. Derived from what is stored by a job; one that is not resolved stands for its kind,
-- resource and subject, however often it is seen again.
create table alerts (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  -- Null: of the whole system.
  network_id integer references networks (id),
  kind text not null,
  severity text not null check (severity in ('warning', 'critical')),
  -- What it is about, as the API names it; the charger and the session for what is found out later.
  resource_type text not null check (resource_type in ('charger', 'connector', 'session', 'gateway')),
  resource_id text not null,
  resource_name text not null,
  charger_id integer references chargers (id),
  session_id bigint references sessions (id),
  -- Of several things about one resource, such as types of security events; empty: there is one.
  subject text not null default '',
  message text not null,
  details jsonb not null,
  status text not null default 'open' check (status in ('open', 'acknowledged', 'resolved')),
  -- When it happened, the first and the last time.
  occurred_at timestamptz not null,
  last_occurred_at timestamptz not null,
  opened_at timestamptz not null default now(),
  acknowledged_at timestamptz,
  acknowledged_by text,
  -- What an operator wrote.
  note text,
  resolved_at timestamptz,
  -- Null: it was found to be over.
  resolved_by text
);
create unique index alerts_unresolved on alerts (kind, resource_id, subject) where status <> 'resolved';
create index on alerts (kind, resource_id, subject, last_occurred_at desc);
create index on alerts (network_id, id desc);
create index on alerts (charger_id, id desc);

-- What the job looks for every few seconds.
create index connectors_faulted on connectors (charger_id) where status = 'Faulted' and deleted_at is null;
create index sessions_without_tariff on sessions (start_received_at) where tariff is null;
create index sessions_estimated on sessions (ended_at) where flags @> '{estimated}';
create index firmware_updates_failed on firmware_updates (closed_at) where outcome = 'failed';
create index on unmatched_stops (received_at);

-- A gateway thread says how much waits in its process's spool, and since when something does.
alter table gateway_shards
  add spooled_batches integer not null default 0,
  add spooling_since timestamptz;
