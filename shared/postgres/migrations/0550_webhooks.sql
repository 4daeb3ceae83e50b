-- Webhooks (docs/adr/0054-event-streams-and-webhooks.md): addresses that receive the public events of a network, each with a position of its own in
-- the outbox.
create table webhook_endpoints (
  id integer generated always as identity primary key,
  uuid uuid not null default gen_random_uuid() unique,
  network_id integer not null references networks (id),
  url text not null,
  description text,
  -- Types or `subject.*`; empty: all.
  types text[] not null default '{}',
  charger_uuid uuid,
  location_uuid uuid,
  -- object: events of one subject in order. endpoint: all events in order, one after the other.
  delivery_order text not null default 'object' check (delivery_order in ('object', 'endpoint')),
  is_enabled boolean not null default true,
  -- Null while it is enabled. operator: an operator did. gone: it answered 410. unreachable: it failed for three days.
  disabled_reason text check (disabled_reason in ('operator', 'gone', 'unreachable')),
  -- The caller that decided what it receives. Nothing is delivered once this caller may not read events.
  owner_key_id integer references api_keys (id),
  owner_operator_id integer references operators (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  check (is_enabled = (disabled_reason is null))
);
create index on webhook_endpoints (network_id) where deleted_at is null;

-- The secrets that sign; several while one replaces another.
create table webhook_secrets (
  id integer generated always as identity primary key,
  endpoint_id integer not null references webhook_endpoints (id),
  sealed bytea not null,
  -- Names the key that sealed it: a process with another key cannot sign.
  sealing_key text not null,
  -- Null: the present one.
  expires_at timestamptz,
  created_at timestamptz not null default now()
);
create index on webhook_secrets (endpoint_id);

-- State of the delivery to an endpoint. One process at a time has the lease.
create table webhook_lanes (
  endpoint_id integer primary key references webhook_endpoints (id),
  -- Each event up to it is delivered, waits in webhook_retries, or is a dead letter.
  position bigint not null,
  leased_by uuid,
  leased_until timestamptz,
  -- Different events in a row that failed.
  failures integer not null default 0,
  -- Number of openings of the breaker since the last success.
  opened integer not null default 0,
  -- Nothing is sent before; after it one event is, to see, when the breaker is open.
  open_until timestamptz,
  -- Time at which the breaker opened first. Null: closed.
  down_since timestamptz,
  delivered bigint not null default 0,
  failed bigint not null default 0,
  last_delivered_at timestamptz,
  last_failed_at timestamptz,
  last_error text
);
create index on webhook_lanes (leased_by) where leased_by is not null;

-- Events that failed, and those that wait behind them.
create table webhook_retries (
  id bigint generated always as identity primary key,
  endpoint_id integer not null references webhook_endpoints (id),
  -- Rows of one key are delivered in the order of their positions.
  lane_key text not null,
  position bigint not null,
  event_id bigint not null,
  type text not null,
  -- The body of the request, as it was or would have been sent.
  body text not null,
  tries integer not null default 0,
  due_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  unique (endpoint_id, lane_key, position)
);
create index on webhook_retries (endpoint_id, due_at);

-- Events that were given up, kept for a replay; and ranges of events that retention removed before they were delivered.
create table webhook_dead_letters (
  id bigint generated always as identity primary key,
  uuid uuid not null default gen_random_uuid() unique,
  endpoint_id integer not null references webhook_endpoints (id),
  -- refused: the endpoint refused the event. expired: its tries are over. unreachable: the endpoint was disabled. lost: a range.
  reason text not null check (reason in ('refused', 'expired', 'unreachable', 'lost')),
  -- Of a range: after the first position, up to the last.
  after_position bigint not null,
  position bigint not null,
  event_id bigint,
  type text,
  body text,
  tries integer not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  check ((reason = 'lost') = (body is null))
);
create index on webhook_dead_letters (endpoint_id, id);
create index on webhook_dead_letters (created_at);
