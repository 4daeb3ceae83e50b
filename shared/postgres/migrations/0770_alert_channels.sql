-- Channels that alerts are sent to in addition to e-mails (docs/adr/0056-delivery-of-alerts.md).
create table alert_channels (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer not null references networks (id),
  name text not null,
  format text not null check (format in ('webhook', 'slack', 'teams', 'pagerduty')),
  -- JSON with the address, the routing key and the signing secret. Null: the channel is deleted.
  target bytea,
  sealing_key text not null,
  target_set_at timestamptz not null default now(),
  -- Empty: all kinds.
  kinds text[] not null,
  minimum_severity text not null check (minimum_severity in ('warning', 'critical')),
  -- BCP 47; null: the network's.
  language text,
  is_enabled boolean not null,
  -- Time before which nothing is sent: the pace, a pause after a failure, or the lease of the process that sends.
  due_at timestamptz not null default now(),
  -- Failures since the last delivery.
  failures integer not null default 0,
  last_delivered_at timestamptz,
  last_failed_at timestamptz,
  last_error text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index on alert_channels (network_id, id);

-- Notice of a notification to one channel.
create table alert_channel_notices (
  id bigint generated always as identity primary key,
  channel_id integer not null references alert_channels (id),
  notification_id bigint not null references alert_notifications (id) on delete cascade,
  cause text not null check (cause in ('raised', 'cleared')),
  due_at timestamptz not null,
  -- dropped: over or acknowledged before it was delivered. failed: the channel refused it at each try.
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'dropped', 'failed')),
  -- Number of requests that have begun.
  tries integer not null default 0,
  unique (notification_id, channel_id, cause)
);
create index alert_channel_notices_waiting on alert_channel_notices (channel_id, due_at) where state = 'waiting';
