-- No reader needs the previous values of rows that have no function of their own. Arguments: the subject's name in the type, and the compared
-- columns.
create or replace function record_event() returns trigger language plpgsql as $$
declare
  old_row jsonb;
  new_row jsonb;
begin
  if tg_op = 'INSERT' then
    insert into outbox (network_id, type, subject_id) values (new.network_id, tg_argv[0] || '.created', new.id);
    return null;
  end if;
  old_row := to_jsonb(old);
  new_row := to_jsonb(new);
  insert into outbox (network_id, type, subject_id, data)
  values (new.network_id, tg_argv[0] || '.updated', new.id, jsonb_build_object('changed',
    (select coalesce(jsonb_agg(name), '[]') from unnest(tg_argv[1]::text[]) name
      where old_row -> name is distinct from new_row -> name)));
  return null;
end
$$;

drop trigger location_event on locations;
create trigger location_event after insert or update on locations
  for each row when (has_partners(new.network_id)) execute function record_event('location', '{is_published}');

drop trigger evse_event on evses;
create trigger evse_event after insert or update on evses
  for each row when (has_partners(new.network_id))
  execute function record_event('evse', '{uid,network_id,charger_id,number,evse_id,stated_status,status_schedule,capabilities,
    physical_reference,floor_level,latitude,longitude,directions,parking_restrictions,images,removed_at,stated_at,version,
    connectors_updated_at}');
