-- EVSEs as roaming partners see them (OCPI 2.2.1 §8.3.2), and what else OCPI says of locations and connectors.

-- What partners call a location: its uuid, or the id with which one of them made it.
alter table locations
  add ocpi_id text check (length(ocpi_id) between 1 and 36),
  -- [{"latitude": "51.9", "longitude": "4.5", "name": {"language": ..., "text": ...}}]
  add related_locations jsonb not null default '[]',
  -- [{"uid": ..., "type": ..., "visualNumber": ..., "issuer": ..., "groupId": ...}]
  add publish_allowed_to jsonb not null default '[]',
  -- Of when what is told of it is: the time of the operator's change, or the `last_updated` that a partner sent.
  add stated_at timestamptz not null default now(),
  -- When an EVSE came, left, or was hidden.
  add evses_moved_at timestamptz;
update locations set ocpi_id = uuid::text, stated_at = updated_at;
alter table locations alter ocpi_id set not null;
create unique index locations_ocpi_id_key on locations (network_id, lower(ocpi_id));

create function name_location() returns trigger
language plpgsql as $$
begin
  new.ocpi_id := coalesce(new.ocpi_id, new.uuid::text);
  return new;
end
$$;
create trigger location_named before insert on locations for each row execute function name_location();

alter table connectors
  -- What partners call it within its EVSE: OCPP's number, or the id with which one of them made it.
  add ocpi_id text check (length(ocpi_id) between 1 and 36),
  add terms_and_conditions text,
  add stated_at timestamptz not null default now(),
  -- When something changed that partners are told, its status included; `updated_at` moves with every report.
  add last_updated timestamptz not null default now();
update connectors set ocpi_id = evse_connector::text, stated_at = updated_at, last_updated = updated_at;
alter table connectors alter ocpi_id set not null;
create unique index connectors_ocpi_id_key on connectors (charger_id, evse_number, lower(ocpi_id))
  where deleted_at is null;

-- One EVSE for each number that a charger's connectors name. It is made, changed and set removed by the triggers below,
-- whoever writes the connectors and chargers, and it is never deleted.
create table evses (
  id integer generated always as identity primary key,
  -- What partners call it; never changed.
  uid text not null default gen_random_uuid()::text check (length(uid) between 1 and 36),
  network_id integer not null references networks (id),
  charger_id integer not null references chargers (id),
  -- OCPP's EVSE: `evse_number` of its connectors.
  number integer not null check (number >= 1),
  -- eMI3: the charger's with the number at its end, or what a partner said.
  evse_id text,
  -- What people say of it, where the charger cannot know better (shared/domain/ocpi-evse.ts); null: nothing.
  stated_status text,
  -- [{"periodBegin": ..., "periodEnd": ..., "status": ...}]
  status_schedule jsonb not null default '[]',
  -- Null: nobody said.
  capabilities text[],
  -- Null: the charger's.
  physical_reference text,
  floor_level text,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  directions jsonb not null default '[]',
  parking_restrictions text[] not null default '{}',
  images jsonb not null default '[]',
  -- When its charger, or its last connector, was removed.
  removed_at timestamptz,
  stated_at timestamptz not null default now(),
  -- When it or one of its connectors changed, or its charger came or went.
  last_updated timestamptz not null default now(),
  unique (charger_id, number),
  check ((latitude is null) = (longitude is null))
);
create unique index evses_uid_key on evses (network_id, lower(uid));
create index chargers_of_location on chargers (location_id);

insert into evses (network_id, charger_id, number, evse_id, removed_at, stated_at, last_updated)
select c.network_id, c.id, k.evse_number, c.evse_id || '*' || k.evse_number,
  case when c.deleted_at is not null or bool_and(k.deleted_at is not null)
    then coalesce(max(k.deleted_at), c.deleted_at) end,
  min(k.created_at), greatest(max(k.updated_at), max(k.deleted_at))
from connectors k join chargers c on c.id = k.charger_id
group by c.id, k.evse_number;

create function date_connector() returns trigger
language plpgsql as $$
begin
  new.ocpi_id := coalesce(new.ocpi_id, new.evse_connector::text);
  new.last_updated := now();
  return new;
end
$$;
create trigger connector_made before insert on connectors for each row execute function date_connector();
-- A charger that repeats its status changes nothing.
create trigger connector_changed before update on connectors for each row
  when ((old.status, old.standard, old.format, old.power_type, old.max_voltage, old.max_amperage, old.max_power_w,
      old.terms_and_conditions, old.deleted_at)
    is distinct from (new.status, new.standard, new.format, new.power_type, new.max_voltage, new.max_amperage,
      new.max_power_w, new.terms_and_conditions, new.deleted_at))
  execute function date_connector();

-- No further than to the EVSE: a location's own row would be locked by every status of every charger there. What a
-- location was updated at is worked out when it is asked for (`location_updates`).
create function evse_follows_connector() returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into evses as e (network_id, charger_id, number, evse_id)
      select c.network_id, c.id, new.evse_number, c.evse_id || '*' || new.evse_number
      from chargers c where c.id = new.charger_id
      on conflict (charger_id, number) do update set removed_at = null, last_updated = now();
  else
    update evses e set last_updated = now(),
      removed_at = case
        when exists (select 1 from connectors k
          where k.charger_id = e.charger_id and k.evse_number = e.number and k.deleted_at is null) then null
        else coalesce(e.removed_at, now()) end
    where e.charger_id = new.charger_id and e.number = new.evse_number;
  end if;
  return null;
end
$$;
create trigger evse_made after insert on connectors for each row execute function evse_follows_connector();
create trigger evse_follows after update on connectors for each row
  when (old.last_updated is distinct from new.last_updated or old.deleted_at is distinct from new.deleted_at)
  execute function evse_follows_connector();

create function evses_follow_charger() returns trigger
language plpgsql as $$
begin
  update evses set last_updated = now(), network_id = new.network_id,
    removed_at = case when new.deleted_at is null then removed_at else coalesce(removed_at, now()) end
  where charger_id = new.id;
  if (old.location_id, old.is_public) is distinct from (new.location_id, new.is_public) then
    update locations set evses_moved_at = now() where id in (old.location_id, new.location_id);
  end if;
  return null;
end
$$;
-- Heartbeats, and a new socket in the place of an open one, change nothing of what partners see.
create trigger evses_follow after update on chargers for each row
  when ((old.connection_id is not null and old.disconnected_at is null, old.station_status, old.ocpp_version,
      old.location_id, old.is_public, old.physical_reference, old.floor_level, old.network_id, old.deleted_at)
    is distinct from (new.connection_id is not null and new.disconnected_at is null, new.station_status,
      new.ocpp_version, new.location_id, new.is_public, new.physical_reference, new.floor_level, new.network_id,
      new.deleted_at))
  execute function evses_follow_charger();

-- When the tariff of a place may have become another one: `tariff_ids` are part of a connector (§8.3.3).
alter table tariff_assignments add withdrawn_at timestamptz;
create function date_withdrawal() returns trigger
language plpgsql as $$
begin
  new.withdrawn_at := now();
  return new;
end
$$;
create trigger assignment_withdrawn before update on tariff_assignments for each row
  when (old.is_active and not new.is_active) execute function date_withdrawal();
create index on tariff_assignments (network_id) where network_id is not null;
create index on tariff_assignments (location_id) where location_id is not null;
create index on tariff_assignments (charger_id) where charger_id is not null;
create index on tariff_assignments (connector_id) where connector_id is not null;

create view tariff_moves as
  select a.network_id, a.location_id, a.charger_id, a.connector_id, moment.at
  from tariff_assignments a
  join tariffs t on t.id = a.tariff_id
  cross join lateral (values (a.created_at), (a.withdrawn_at), (a.valid_from), (a.valid_until), (t.updated_at),
    (t.starts_at), (t.ends_at)) moment (at)
  where moment.at <= now();

create view connector_updates as
  select k.id as connector_id, k.charger_id, k.evse_number, greatest(k.last_updated,
    (select max(m.at) from tariff_moves m where m.connector_id = k.id),
    (select max(m.at) from tariff_moves m where m.charger_id = c.id),
    (select max(m.at) from tariff_moves m where m.location_id = c.location_id),
    (select max(m.at) from tariff_moves m where m.network_id = c.network_id)) as last_updated
  from connectors k join chargers c on c.id = k.charger_id;

-- An EVSE's includes that of its connectors, a location's that of its EVSEs (§8.3).
create view location_updates as
  select l.id as location_id, greatest(l.updated_at, l.evses_moved_at,
    (select max(e.last_updated) from chargers c join evses e on e.charger_id = c.id where c.location_id = l.id),
    (select max(m.at) from chargers c join connectors k on k.charger_id = c.id
      join tariff_moves m on m.connector_id = k.id where c.location_id = l.id),
    (select max(m.at) from chargers c join tariff_moves m on m.charger_id = c.id where c.location_id = l.id),
    (select max(m.at) from tariff_moves m where m.location_id = l.id),
    (select max(m.at) from tariff_moves m where m.network_id = l.network_id)) as last_updated
  from locations l;
