-- Locations and EVSEs that partners saw and see no more stay in their lists as removed (docs/adr/0021-roaming-tokens-sessions-cdrs.md).

-- Time of the first registration: what was withdrawn before does not concern the partner. Null: never registered.
alter table ocpi_partners add first_registered_at timestamptz;
-- safe: partners are few, and the column is new
update ocpi_partners set first_registered_at = created_at where status <> 'PENDING' or roles <> '[]';

-- Locations that were unpublished or removed while the network had partners. A location that is published again has no row.
create table ocpi_withdrawn_locations (
  location_id integer primary key references locations (id),
  withdrawn_at timestamptz not null default clock_timestamp()
);

-- EVSEs at a location that their charger left, where it became private, or that was withdrawn. An EVSE that is back has no row.
create table ocpi_withdrawn_evses (
  location_id integer not null references locations (id),
  evse_id integer not null references evses (id),
  withdrawn_at timestamptz not null default clock_timestamp(),
  primary key (location_id, evse_id)
);
create index on ocpi_withdrawn_evses (evse_id);

-- Partners see these removed locations already, because EVSEs were there.
insert into ocpi_withdrawn_locations (location_id, withdrawn_at)
select l.id, u.last_updated
from locations l join location_updates u on u.location_id = l.id
where l.deleted_at is not null and l.is_published
  and exists (select from chargers c join evses e on e.charger_id = c.id where c.location_id = l.id and c.is_public);
insert into ocpi_withdrawn_evses (location_id, evse_id, withdrawn_at)
select w.location_id, e.id, w.withdrawn_at
from ocpi_withdrawn_locations w join chargers c on c.location_id = w.location_id and c.is_public
join evses e on e.charger_id = c.id;

-- Returns whether a network has partners that know its objects, also while one of them registers again.
create function had_partners(network integer) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from ocpi_partners p where p.network_id = network and p.deleted_at is null
      and (p.first_registered_at is not null or p.status <> 'PENDING'));
end
$$;

-- Nothing that happens at a withdrawn location concerns partners.
create or replace view location_updates as
  select l.id as location_id, coalesce(w.withdrawn_at, greatest(l.updated_at, l.evses_moved_at,
    (select max(e.last_updated) from chargers c join evses e on e.charger_id = c.id where c.location_id = l.id),
    (select max(m.at) from chargers c join connectors k on k.charger_id = c.id
      join tariff_moves m on m.connector_id = k.id where c.location_id = l.id),
    (select max(m.at) from chargers c join tariff_moves m on m.charger_id = c.id where c.location_id = l.id),
    (select max(m.at) from tariff_moves m where m.location_id = l.id),
    (select max(m.at) from tariff_moves m where m.network_id = l.network_id))) as last_updated
  from locations l left join ocpi_withdrawn_locations w on w.location_id = l.id;

create or replace function record_location_event() returns trigger language plpgsql as $$
declare
  is_public boolean := tg_op = 'INSERT';
  was_shown boolean;
  is_shown boolean;
begin
  if tg_op = 'UPDATE' then
    was_shown := old.is_published and old.deleted_at is null;
    is_shown := new.is_published and new.deleted_at is null;
    if is_shown and not was_shown then
      delete from ocpi_withdrawn_locations where location_id = new.id;
      delete from ocpi_withdrawn_evses w using evses e join chargers c on c.id = e.charger_id
      where w.location_id = new.id and e.id = w.evse_id and c.location_id = new.id and c.is_public;
    elsif was_shown and not is_shown and had_partners(new.network_id) then
      insert into ocpi_withdrawn_locations (location_id) values (new.id) on conflict do nothing;
      insert into ocpi_withdrawn_evses (location_id, evse_id)
      select new.id, e.id from chargers c join evses e on e.charger_id = c.id
      where c.location_id = new.id and c.is_public
      on conflict do nothing;
    end if;
    is_public := to_jsonb(old) - '{evses_moved_at,updated_at,stated_at}'::text[]
      is distinct from to_jsonb(new) - '{evses_moved_at,updated_at,stated_at}'::text[];
    if not is_public and not has_partners(new.network_id) then return null; end if;
  end if;
  insert into outbox (network_id, type, subject_id, subject_uuid, data, internal)
  values (new.network_id, case tg_op when 'INSERT' then 'location.created' else 'location.updated' end, new.id,
    case when is_public then new.uuid end,
    case when is_public then jsonb_build_object('version', new.version, 'isPublished', new.is_published,
      'isRemoved', new.deleted_at is not null) else '{}' end,
    case when tg_op = 'UPDATE' then jsonb_build_object('changed',
      case when old.is_published <> new.is_published then '["is_published"]' else '[]' end::jsonb) else '{}' end);
  return null;
end
$$;

-- An EVSE is withdrawn from the location that its charger leaves, and back where it is at a location again.
create or replace function evses_follow_charger() returns trigger language plpgsql as $$
declare
  is_moved boolean := (old.location_id, old.is_public) is distinct from (new.location_id, new.is_public);
begin
  update evses set last_updated = now(), network_id = new.network_id,
    removed_at = case when new.deleted_at is null then removed_at else coalesce(removed_at, now()) end
  where charger_id = new.id;
  if not is_moved then return null; end if;
  update locations set evses_moved_at = clock_timestamp() where id in (old.location_id, new.location_id);
  if old.is_public then
    insert into ocpi_withdrawn_evses (location_id, evse_id)
    select l.id, e.id
    from locations l join evses e on e.charger_id = new.id
    where l.id = old.location_id and l.is_published and l.deleted_at is null and had_partners(l.network_id)
    on conflict (location_id, evse_id) do update set withdrawn_at = excluded.withdrawn_at;
  end if;
  if new.is_public then
    delete from ocpi_withdrawn_evses w using evses e
    where e.charger_id = new.id and w.evse_id = e.id and w.location_id = new.location_id
      and not exists (select from ocpi_withdrawn_locations l where l.location_id = w.location_id);
  end if;
  return null;
end
$$;

-- Time of the last change. An assignment can be ended at a time in the past, which no partner that polls would find.
alter table tariff_assignments add changed_at timestamptz;

create or replace function record_assignment_event() returns trigger language plpgsql as $$
declare
  assigned tariffs;
begin
  if tg_op = 'UPDATE' then
    new.changed_at := clock_timestamp();
    if old.is_active and not new.is_active then new.withdrawn_at := now(); end if;
  end if;
  select t.* into assigned from tariffs t where t.id = new.tariff_id;
  insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
  values (assigned.network_id, 'tariff_assignment.' || case tg_op when 'INSERT' then 'created' else 'updated' end, new.id, new.uuid,
    coalesce(new.charger_id, (select k.charger_id from connectors k where k.id = new.connector_id)),
    jsonb_strip_nulls(jsonb_build_object('locationId', (select l.uuid from locations l where l.id = new.location_id)))
      || jsonb_build_object('tariffId', assigned.uuid,
        'connectorId', (select k.uuid from connectors k where k.id = new.connector_id), 'isActive', new.is_active,
        'validFrom', case when isfinite(new.valid_from) then new.valid_from end,
        'validUntil', case when isfinite(new.valid_until) then new.valid_until end));
  insert into ocpi_assignment_moments (assignment_id, at)
  select distinct new.id, moment
  from unnest(array[new.valid_from, new.valid_until, assigned.starts_at, assigned.ends_at]) moment
  where new.is_active and moment > now() and moment < 'infinity'
  on conflict do nothing;
  return new;
end
$$;
