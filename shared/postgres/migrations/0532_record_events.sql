-- Locations, EVSEs and tariff assignments are events in every network, and not only in those with partners.
drop trigger location_event on locations;
drop trigger evse_event on evses;
drop function record_event();

-- The charger's move to another location concerns partners alone: it is an event of the charger.
create function record_location_event() returns trigger language plpgsql as $$
declare
  is_public boolean := tg_op = 'INSERT';
begin
  if tg_op = 'UPDATE' then
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
create trigger location_event after insert or update on locations
  for each row execute function record_location_event();

-- The status of an EVSE comes from its connectors and its charger, and changes nothing of its row but `last_updated`. It concerns
-- partners alone: operators get the event of the connector.
create function record_evse_event() returns trigger language plpgsql as $$
declare
  is_whole boolean := tg_op = 'INSERT';
begin
  if tg_op = 'UPDATE' then
    is_whole := (old.network_id, old.stated_status, old.status_schedule, old.capabilities, old.physical_reference, old.floor_level,
        old.latitude, old.longitude, old.directions, old.parking_restrictions, old.images, old.removed_at, old.stated_at,
        old.version, old.connectors_updated_at, old.uid, old.evse_id, old.number, old.charger_id)
      is distinct from (new.network_id, new.stated_status, new.status_schedule, new.capabilities, new.physical_reference,
        new.floor_level, new.latitude, new.longitude, new.directions, new.parking_restrictions, new.images, new.removed_at,
        new.stated_at, new.version, new.connectors_updated_at, new.uid, new.evse_id, new.number, new.charger_id);
    if not is_whole and not has_partners(new.network_id) then return null; end if;
  end if;
  insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data, internal)
  values (new.network_id, case tg_op when 'INSERT' then 'evse.created' else 'evse.updated' end, new.id,
    -- The API names an EVSE by its charger and number.
    case when is_whole then (select c.uuid from chargers c where c.id = new.charger_id) end, new.charger_id,
    case when is_whole then jsonb_build_object('evse', new.number, 'version', new.version,
      'isRemoved', new.removed_at is not null) else '{}' end,
    case when tg_op = 'UPDATE' then jsonb_build_object('isWhole', is_whole) else '{}' end);
  return null;
end
$$;
create trigger evse_event after insert or update on evses
  for each row execute function record_evse_event();

-- Readers of the events of before this migration find the same names.
update outbox set internal = internal || jsonb_build_object('isWhole', internal -> 'changed' is distinct from '[]')
where type = 'evse.updated';

create or replace function record_assignment_event() returns trigger language plpgsql as $$
declare
  assigned tariffs;
begin
  if tg_op = 'UPDATE' then
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
