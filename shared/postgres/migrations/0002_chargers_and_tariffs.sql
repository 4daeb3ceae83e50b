create table manufacturers (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  name text not null unique,
  created_at timestamptz not null default now()
);

-- The global catalog: no network of its own.
create table charger_models (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  manufacturer_id integer not null references manufacturers (id),
  model_name text not null,
  description text,
  max_power_w integer,
  ocpp_version text not null check (ocpp_version in ('1.6', '2.0.1')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (manufacturer_id, model_name)
);

create table chargers (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer not null references networks (id),
  location_id integer references locations (id),
  model_id integer references charger_models (id),
  -- The OCPP charge point identity, the last part of the charger's URL: unique over all networks.
  uid text not null check (length(uid) between 1 and 48),
  -- The identity that roaming partners see.
  evse_id text not null unique,
  serial_number text not null,
  vendor text,
  vendor_model text,
  firmware_version text,
  ocpp_version text check (ocpp_version in ('1.6', '2.0.1')),
  -- Derived from its connectors; UNKNOWN until it speaks, or what an operator supplied.
  status text not null default 'UNKNOWN',
  -- What the charger says of itself as a whole: connector 0, EVSE 0.
  station_status text,
  is_public boolean not null default true,
  security_profile integer not null default 1 check (security_profile between 0 and 3),
  password_hash bytea not null,
  max_power_w integer,
  physical_reference text,
  floor_level text,
  last_boot_at timestamptz,
  last_boot_reason text,
  last_heartbeat_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index chargers_uid_key on chargers (uid) where deleted_at is null;
create index on chargers (network_id, id) where deleted_at is null;
create index on chargers (location_id) where deleted_at is null;

create table connectors (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  charger_id integer not null references chargers (id),
  -- 1-based over the whole charger: what operators and drivers see.
  number integer not null check (number >= 1),
  -- Where OCPP finds it. 1.6 knows no EVSE: its connector n is EVSE n, connector 1.
  evse_number integer not null check (evse_number >= 1),
  evse_connector integer not null default 1 check (evse_connector >= 1),
  standard text,
  format text,
  power_type text,
  max_voltage integer,
  max_amperage integer,
  max_power_w integer,
  status text not null default 'UNKNOWN',
  error_code text,
  vendor_error_code text,
  status_info text,
  status_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index connectors_number_key on connectors (charger_id, number) where deleted_at is null;
create unique index connectors_position_key on connectors (charger_id, evse_number, evse_connector) where deleted_at is null;

-- The prices of a network, in OCPI 2.2.1's tariff model: `elements` is its array of tariff elements.
create table tariffs (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer not null references networks (id),
  name text not null,
  currency char(3) not null,
  elements jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);

-- A tariff applies to a whole network, a location, a charger or a connector; the closest one wins.
create table tariff_assignments (
  id integer generated always as identity primary key,
  tariff_id integer not null references tariffs (id),
  network_id integer references networks (id),
  location_id integer references locations (id),
  charger_id integer references chargers (id),
  connector_id integer references connectors (id),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  check (num_nonnulls(network_id, location_id, charger_id, connector_id) = 1)
);
create unique index on tariff_assignments (network_id) where is_active;
create unique index on tariff_assignments (location_id) where is_active;
create unique index on tariff_assignments (charger_id) where is_active;
create unique index on tariff_assignments (connector_id) where is_active;

-- The connector at this place of a charger, made when it was never seen before. Callers may race: the charger's
-- row is locked only when one must be made. EVSE n becomes number n where that is free.
create function ensure_connector(charger integer, evse integer, evse_connector_number integer) returns integer
language plpgsql as $$
declare
  found_id integer;
begin
  select id into found_id from connectors k
    where k.charger_id = charger and k.evse_number = evse and k.evse_connector = evse_connector_number
      and k.deleted_at is null;
  if found_id is not null then return found_id; end if;

  perform 1 from chargers where id = charger for update;
  insert into connectors (charger_id, number, evse_number, evse_connector)
    select charger,
      case when exists (select 1 from connectors k where k.charger_id = charger and k.number = evse and k.deleted_at is null)
        then (select max(number) + 1 from connectors k where k.charger_id = charger and k.deleted_at is null)
        else evse end,
      evse, evse_connector_number
    on conflict (charger_id, evse_number, evse_connector) where deleted_at is null do nothing
    returning id into found_id;
  if found_id is null then
    select id into found_id from connectors k
      where k.charger_id = charger and k.evse_number = evse and k.evse_connector = evse_connector_number
        and k.deleted_at is null;
  end if;
  return found_id;
end
$$;
