-- Outages that regulators and contracts do not count (docs/regulation.md).
create table availability_exclusions (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer not null references networks (id),
  -- One of these: all EVSEs of a location, or of a charger.
  location_id integer references locations (id),
  charger_id integer references chargers (id),
  -- Null: all EVSEs of the charger.
  evse_number integer check (evse_number >= 1),
  cause text not null check (cause in ('maintenance', 'vandalism', 'grid', 'customer', 'weather')),
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  reason text not null,
  -- Alert that showed the outage. It may be removed before the exclusion.
  alert_uuid uuid,
  created_by text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (begins_at < ends_at),
  check ((location_id is null) <> (charger_id is null)),
  check (evse_number is null or charger_id is not null)
);
create index availability_exclusions_by_time on availability_exclusions (network_id, ends_at);
