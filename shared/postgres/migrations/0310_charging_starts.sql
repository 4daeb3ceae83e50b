-- A start that a driver asked for is known before its charger is asked; then it takes the connector and, where there is
-- one, the driver for as long as it is pending: of two at once, one wins.
alter table remote_starts
  -- Null: an operator asked, and nothing is taken.
  add connector_id integer references connectors (id),
  -- Whose wallet pays; null: the token is nobody's.
  add user_id integer references users (id);
create unique index remote_starts_connector_key on remote_starts (charger_id, evse)
  where status = 'pending' and connector_id is not null;
create unique index remote_starts_user_key on remote_starts (user_id) where status = 'pending' and user_id is not null;

-- Sessions that drivers want at a time to come.
create table scheduled_charges (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  -- Of the charger.
  network_id integer not null references networks (id),
  user_id integer not null references users (id),
  charger_id integer not null references chargers (id),
  connector_id integer not null references connectors (id),
  id_token_id integer not null references id_tokens (id),
  -- As they were asked for: {"maxEnergyKwh", "maxDurationMinutes", "maxCost"}.
  limits jsonb not null,
  start_at timestamptz not null,
  -- Until then it is tried.
  window_ends_at timestamptz not null check (window_ends_at > start_at),
  -- starting: its charger was asked at least once, or could not be.
  status text not null default 'scheduled' check (status in ('scheduled', 'starting', 'started', 'failed', 'cancelled')),
  -- The newest start that was asked for it.
  remote_start_id bigint references remote_starts (id),
  -- Why the newest attempt led to nothing.
  error_code text,
  error_message text,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((status in ('started', 'failed', 'cancelled')) = (ended_at is not null))
);
create index on scheduled_charges (user_id, start_at desc, id desc);
