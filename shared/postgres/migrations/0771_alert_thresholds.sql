-- Thresholds of operators on metrics of their network. One that is exceeded for long enough is an alert of the kind `threshold`.
create table alert_thresholds (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer not null references networks (id),
  name text not null,
  metric text not null,
  comparison text not null check (comparison in ('above', 'below')),
  value double precision not null,
  for_minutes integer not null check (for_minutes >= 0),
  severity text not null check (severity in ('warning', 'critical')),
  is_enabled boolean not null,
  -- Latest value, and the time since which it exceeds the threshold without a break. Null: none, or it does not.
  measured_value double precision,
  measured_at timestamptz,
  exceeded_since timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index on alert_thresholds (network_id, id);

-- safe: a wider constraint replaces it in this transaction
alter table alerts drop constraint alerts_resource_type_check;
alter table alerts add constraint alerts_resource_type_check
  check (resource_type in ('charger', 'connector', 'session', 'gateway', 'ocpi-partner', 'wallet', 'location', 'certificate',
    'api-key', 'threshold')) not valid;
