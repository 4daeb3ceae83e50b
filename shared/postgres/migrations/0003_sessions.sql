-- The transactionId that a central system gives an OCPP 1.6 charger: an integer, never 0, never reused.
create sequence ocpp16_transaction_id as integer start 1;

create table sessions (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer not null references networks (id),
  charger_id integer not null references chargers (id),
  connector_id integer not null references connectors (id),
  user_id integer references users (id),
  id_token_id integer references id_tokens (id),
  id_token text,
  -- 1.6: ours, as text. 2.0.1: the charger's.
  ocpp_transaction_id text not null,
  -- What makes two reports the same start (rule 2 of the architecture).
  start_key text not null,
  status text not null check (status in ('ACTIVE', 'STOPPING', 'COMPLETED', 'INVALID')),
  -- What the charger was told of the token at the start.
  authorization_status text not null,
  remote_start_id integer,
  -- What the charger said, and when we heard it.
  started_at timestamptz not null,
  start_received_at timestamptz not null,
  ended_at timestamptz,
  stop_received_at timestamptz,
  -- Energy register in Wh at start and stop; null when the charger did not say.
  meter_start_wh double precision,
  meter_stop_wh double precision,
  -- Live until the stop, then final.
  energy_wh double precision not null default 0 check (energy_wh >= 0),
  power_w double precision,
  soc_percent double precision,
  live_at timestamptz,
  stop_reason text,
  -- The tariff as it stood at the start; null: none was assigned.
  tariff_id integer references tariffs (id),
  tariff jsonb,
  -- The final price, with its breakdown; null while running or without tariff.
  cost_minor bigint check (cost_minor >= 0),
  cost jsonb,
  currency char(3) not null,
  flags text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (charger_id, ocpp_transaction_id),
  unique (charger_id, start_key)
);
create index on sessions (network_id, started_at desc, id desc);
create index on sessions (user_id, started_at desc, id desc) where user_id is not null;
create index on sessions (charger_id, started_at desc, id desc);
create index on sessions (charger_id, connector_id) where status in ('ACTIVE', 'STOPPING');

-- A stop that fits no session of ours is answered all the same (a charger would repeat it for ever) and kept.
create table unmatched_stops (
  id bigint generated always as identity primary key,
  charger_id integer not null references chargers (id),
  ocpp_transaction_id text not null,
  stop jsonb not null,
  received_at timestamptz not null
);
-- The same stop said again is the same row; chargers that never got a transaction id say 0 or -1 for all of theirs.
create unique index on unmatched_stops (charger_id, ocpp_transaction_id, (stop ->> 'endedAt'), (stop ->> 'meterStopWh'));
