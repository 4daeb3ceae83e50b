-- Connections that the gateway rejected: one row for each identity and reason.
create table rejected_connections (
  id bigint generated always as identity primary key,
  uuid uuid not null default gen_random_uuid() unique,
  -- As the charger sent it in its URL.
  identity text not null,
  reason text not null,
  -- Null: no charger has this identity.
  charger_id integer references chargers (id) on delete cascade,
  -- Address of the latest attempt.
  remote_address text not null,
  attempts bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  unique (identity, reason)
);
create index on rejected_connections (charger_id);
create index on rejected_connections (last_at);
