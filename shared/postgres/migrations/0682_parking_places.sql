-- Data of OCPI 2.3.0 that operators set: parking places of a location (shared/domain/fleet/parking.ts), those of an EVSE among them,
-- and what drivers can use at a connector.
alter table locations add parking_places jsonb not null default '[]';
-- [{"parkingId": ..., "evsePosition": ...}]: ids of parking places of the location.
alter table evses add parking jsonb not null default '[]';
alter table connectors add capabilities text[] not null default '{}';

-- As before (0502), with the capabilities of a connector.
create or replace function evse_follows_connector() returns trigger
language plpgsql as $$
declare
  is_whole boolean;
begin
  if tg_op = 'INSERT' then
    insert into evses as e (network_id, charger_id, number, evse_id)
      select c.network_id, c.id, new.evse_number, c.evse_id || '*' || new.evse_number
      from chargers c where c.id = new.charger_id
      on conflict (charger_id, number) do update set removed_at = null, last_updated = now(), connectors_updated_at = now();
  else
    is_whole := (old.standard, old.format, old.power_type, old.max_voltage, old.max_amperage, old.max_power_w,
        old.terms_and_conditions, old.capabilities, old.deleted_at)
      is distinct from (new.standard, new.format, new.power_type, new.max_voltage, new.max_amperage, new.max_power_w,
        new.terms_and_conditions, new.capabilities, new.deleted_at);
    update evses e set last_updated = now(),
      connectors_updated_at = case when is_whole then now() else e.connectors_updated_at end,
      removed_at = case
        when exists (select 1 from connectors k
          where k.charger_id = e.charger_id and k.evse_number = e.number and k.deleted_at is null) then null
        else coalesce(e.removed_at, now()) end
    where e.charger_id = new.charger_id and e.number = new.evse_number;
  end if;
  return null;
end
$$;

-- As before (0655), without the parking places of the former location.
create or replace function evses_follow_charger() returns trigger language plpgsql as $$
declare
  is_moved boolean := (old.location_id, old.is_public) is distinct from (new.location_id, new.is_public);
begin
  update evses set last_updated = now(), network_id = new.network_id,
    parking = case when old.location_id is distinct from new.location_id then '[]' else parking end,
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
