-- The id of a location or connector in OCPI is a generated column, which needs no trigger: the id that a partner gave, or ours.
alter table locations add given_ocpi_id text check (length(given_ocpi_id) between 1 and 36);
alter table locations disable trigger user;
update locations set given_ocpi_id = ocpi_id where ocpi_id <> uuid::text;
alter table locations enable trigger user;
drop trigger location_named on locations;
drop function name_location();
alter table locations drop column ocpi_id;
alter table locations add ocpi_id text not null generated always as (coalesce(given_ocpi_id, uuid::text)) stored;
create unique index locations_ocpi_id_key on locations (network_id, lower(ocpi_id));

alter table connectors add given_ocpi_id text check (length(given_ocpi_id) between 1 and 36);
alter table connectors disable trigger user;
update connectors set given_ocpi_id = ocpi_id where ocpi_id <> evse_connector::text;
alter table connectors enable trigger user;
drop trigger connector_made on connectors;
alter table connectors drop column ocpi_id;
alter table connectors add ocpi_id text not null generated always as (coalesce(given_ocpi_id, evse_connector::text)) stored;
create unique index connectors_ocpi_id_key on connectors (charger_id, evse_number, lower(ocpi_id))
  where deleted_at is null;

create or replace function date_connector() returns trigger
language plpgsql as $$
begin
  new.last_updated := now();
  return new;
end
$$;

-- An EVSE follows its connectors. `connectors_updated_at` moves with everything but their status.
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
        old.terms_and_conditions, old.deleted_at)
      is distinct from (new.standard, new.format, new.power_type, new.max_voltage, new.max_amperage, new.max_power_w,
        new.terms_and_conditions, new.deleted_at);
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
