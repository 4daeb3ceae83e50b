-- Sites whose charging is limited by their wiring (docs/load-management.md). Strategies and kinds are in shared/domain/load/.
create table load_sites (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer not null references networks (id),
  location_id integer references locations (id),
  name text not null,
  is_enabled boolean not null,
  strategy text not null,
  min_on_seconds integer not null,
  turn_seconds integer not null,
  raise_every_seconds integer not null,
  ramp_amps double precision not null,
  rebalance_every_seconds integer not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Process that plans the site.
  lease_owner text,
  lease_until timestamptz
);
create index load_sites_of_network on load_sites (network_id, id);
create index load_sites_by_lease on load_sites (lease_until) where is_enabled;

create table load_circuits (
  site_id integer not null references load_sites (id) on delete cascade,
  id text not null,
  name text not null,
  -- Place in the list of the operator.
  position integer not null,
  parent_id text,
  amps double precision[] not null,
  schedule jsonb not null,
  other jsonb not null,
  transformer_ratio double precision,
  primary key (site_id, id)
);

create table load_connectors (
  connector_id integer primary key references connectors (id),
  site_id integer not null references load_sites (id) on delete cascade,
  circuit_id text not null,
  position integer not null,
  -- Null: unknown.
  rotation text,
  connection text not null,
  voltage double precision not null,
  min_amps double precision not null,
  max_amps double precision not null,
  fallback_amps double precision not null,
  control text not null,
  -- Deviations of the station. Null: those of its model.
  quirks text[],
  priority double precision not null,
  -- Time since which its readings exceed its limit. Null: it is trusted.
  set_aside_at timestamptz,
  foreign key (site_id, circuit_id) references load_circuits (site_id, id)
);
create index load_connectors_of_site on load_connectors (site_id, position);

-- Upper bounds from outside, such as the grid operator's.
create table load_bounds (
  site_id integer not null references load_sites (id) on delete cascade,
  id text not null,
  source text not null,
  -- Either a circuit or a connector.
  circuit_id text,
  connector_id integer references load_connectors (connector_id),
  amps double precision[] not null,
  valid_from timestamptz,
  valid_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (site_id, circuit_id) references load_circuits (site_id, id),
  check ((circuit_id is null) <> (connector_id is null))
);
create index load_bounds_of_connector on load_bounds (connector_id) where connector_id is not null;
