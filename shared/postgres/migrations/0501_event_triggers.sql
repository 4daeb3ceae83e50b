-- One trigger for each table replaces the marks that tables of roaming and analytics had triggers for. Marks that are waiting become events.

-- No writer adds a mark after they are read below.
lock table locations, connectors, tariffs, tariff_assignments in share row exclusive mode;

-- The moments at which a tariff assignment begins or ends by itself: changes that no statement makes.
create table ocpi_assignment_moments (
  assignment_id integer not null,
  at timestamptz not null,
  primary key (assignment_id, at)
);
create index on ocpi_assignment_moments (at);

-- The last change of the connectors of an EVSE that partners see, other than their status.
alter table evses add connectors_updated_at timestamptz;

-- The sessions that began or ended at these EVSEs are in the past: their change is written now.
update evses set last_updated = now() where id in (select object_id from ocpi_change_marks where kind = 'use');

insert into outbox (network_id, type, subject_id, data)
select s.network_id, 'session_fact.due', s.id, jsonb_build_object('changed', '[]'::jsonb, 'was', case when m.was_network_id is null
  then '{}' else jsonb_build_object('status', 'COMPLETED', 'network_id', m.was_network_id, 'started_at', m.was_started_at,
    'ended_at', m.was_ended_at) end)
from session_fact_marks m join sessions s on s.id = m.session_id
order by m.id;

insert into outbox (network_id, type, subject_id, data, occurred_at)
select network_id, type, subject_id,
  case when type like '%.updated' then jsonb_build_object('was', '{}'::jsonb, 'status', status,
    'changed', case when not is_whole then '[]'::jsonb
      -- A location that is not published any more is pushed for the change of that alone.
      when type = 'location.updated' then '["is_published"]' else '["version"]' end) else '{}' end, ready_at
from (
  select m.id, l.network_id, 'location.updated' as type, l.id as subject_id, null as status, m.is_whole, m.ready_at
    from ocpi_change_marks m join locations l on m.kind = 'location' and l.id = m.object_id
  union all select m.id, e.network_id, 'evse.updated', e.id, null, m.is_whole, m.ready_at
    from ocpi_change_marks m join evses e on m.kind = 'evse' and e.id = m.object_id
  union all select m.id, e.network_id, 'evse.updated', e.id, null, m.is_whole, m.ready_at
    from ocpi_change_marks m join connectors k on m.kind = 'connector' and k.id = m.object_id
    join evses e on e.charger_id = k.charger_id and e.number = k.evse_number
  union all select m.id, t.network_id, 'tariff.updated', t.id, null, m.is_whole, m.ready_at
    from ocpi_change_marks m join tariffs t on m.kind = 'tariff' and t.id = m.object_id
  union all select m.id, t.network_id, 'tariff_assignment.updated', a.id, null, m.is_whole, m.ready_at
    from ocpi_change_marks m join tariff_assignments a on m.kind = 'assignment' and a.id = m.object_id
    join tariffs t on t.id = a.tariff_id
  union all select m.id, s.network_id, 'session.updated', s.id, s.status, m.is_whole, m.ready_at
    from ocpi_change_marks m join sessions s on m.kind = 'session' and s.id = m.object_id
  union all select m.id, d.network_id, 'cdr.created', d.id, null, m.is_whole, m.ready_at
    from ocpi_change_marks m join cdrs d on m.kind = 'cdr' and d.id = m.object_id
) marks
where ready_at <= now()
order by id;

insert into ocpi_assignment_moments (assignment_id, at)
select distinct m.object_id, m.ready_at from ocpi_change_marks m join tariff_assignments a on a.id = m.object_id
where m.kind = 'assignment' and m.ready_at > now();

drop trigger session_fact_inserted on sessions;
drop trigger session_fact_changed on sessions;
drop trigger cdr_due_inserted on sessions;
drop trigger cdr_due_changed on sessions;
drop trigger session_made_to_partner on sessions;
drop trigger session_changed_to_partner on sessions;
drop trigger session_lives_to_partner on sessions;
drop trigger evse_used on sessions;
drop trigger evse_use_changed on sessions;
drop trigger location_made_to_partners on locations;
drop trigger location_changed_to_partners on locations;
drop trigger evse_to_partners on evses;
drop trigger connector_made_to_partners on connectors;
drop trigger connector_changed_to_partners on connectors;
drop trigger assignment_to_partners on tariff_assignments;
drop trigger assignment_withdrawn on tariff_assignments;
drop trigger tariff_to_partners on tariffs;
drop trigger cdr_to_partner on cdrs;
drop trigger ocpi_commands_follow on reservations;
drop trigger ocpi_profiles_follow on charging_profiles;
drop trigger ocpi_profiles_follow_change on charging_profiles;
drop trigger ocpi_profiles_follow_limit on charger_notifications;
drop function mark_session_fact(), mark_cdr(), mark_session(), mark_use(), mark_location(), mark_evse(), mark_connector(),
  mark_assignment(), date_withdrawal(), mark_tariff(), mark_cdr_made(), ocpi_commands_follow_reservation(),
  ocpi_profiles_follow_charging_profiles(), ocpi_profiles_follow_limits();
drop function mark_for_partners(text, bigint, integer, boolean, timestamptz);
drop function mark_ocpi_profiles(integer, integer);
drop table session_fact_marks, ocpi_change_marks;

-- Sessions have a function of their own: `record_event` turns whole rows into JSON, which costs 20 times as much on this wide table.
-- `status` is the status after the change.
create function record_session_event() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into outbox (network_id, type, subject_id, data)
    values (new.network_id, 'session.created', new.id, jsonb_build_object('status', new.status));
    return null;
  end if;
  insert into outbox (network_id, type, subject_id, data)
  values (new.network_id, 'session.updated', new.id, jsonb_build_object('status', new.status,
    'changed', to_jsonb(array_remove(array[
      case when old.status <> new.status then 'status' end,
      case when old.network_id <> new.network_id then 'network_id' end,
      case when old.connector_id is distinct from new.connector_id then 'connector_id' end,
      case when old.ocpi_partner_id is distinct from new.ocpi_partner_id then 'ocpi_partner_id' end,
      case when old.started_at <> new.started_at then 'started_at' end,
      case when old.ended_at is distinct from new.ended_at then 'ended_at' end,
      case when old.cost is distinct from new.cost then 'cost' end,
      case when old.currency <> new.currency then 'currency' end,
      case when old.authorization_reference is distinct from new.authorization_reference
        then 'authorization_reference' end,
      case when old.meter_id is distinct from new.meter_id then 'meter_id' end,
      case when old.version <> new.version then 'version' end,
      case when old.price_state <> new.price_state then 'price_state' end], null)),
    'was', jsonb_build_object('status', old.status, 'network_id', old.network_id, 'connector_id', old.connector_id,
      'started_at', old.started_at, 'ended_at', old.ended_at)));
  return null;
end
$$;
create trigger session_created after insert on sessions
  for each row execute function record_session_event();
-- Live values come every few seconds: they are an event for a partner's session alone, and twice a minute at most.
create trigger session_updated after update on sessions
  for each row when (old.status = 'COMPLETED' or old.status <> new.status or old.connector_id is distinct from new.connector_id
    or new.ocpi_partner_id is not null and (
      floor(extract(epoch from old.live_at) / 30) is distinct from floor(extract(epoch from new.live_at) / 30)
      or (old.ocpi_partner_id, old.started_at, old.ended_at, old.cost, old.currency, old.authorization_reference, old.meter_id,
          old.version)
        is distinct from (new.ocpi_partner_id, new.started_at, new.ended_at, new.cost, new.currency,
          new.authorization_reference, new.meter_id, new.version)))
  execute function record_session_event();

create trigger location_event after insert or update on locations
  for each row when (has_partners(new.network_id)) execute function record_event('location', '{is_published}');

-- The status of an EVSE comes from its connectors and its charger, and changes nothing of its row but `last_updated`.
create trigger evse_event after insert or update on evses
  for each row when (has_partners(new.network_id))
  execute function record_event('evse', '{uid,network_id,charger_id,number,evse_id,stated_status,status_schedule,capabilities,
    physical_reference,floor_level,latitude,longitude,directions,parking_restrictions,images,removed_at,stated_at,version,
    connectors_updated_at}');

-- The network of an assignment is that of its tariff. The trigger also dates the withdrawal (`tariff_moves`), and keeps the moments at which the
-- assignment begins and ends by itself: for networks without partners too, since a partner may register before.
create function record_assignment_event() returns trigger language plpgsql as $$
declare
  assigned tariffs;
begin
  if tg_op = 'UPDATE' then
    if old.is_active and not new.is_active then new.withdrawn_at := now(); end if;
  end if;
  select t.* into assigned from tariffs t where t.id = new.tariff_id;
  if has_partners(assigned.network_id) then
    insert into outbox (network_id, type, subject_id)
    values (assigned.network_id, 'tariff_assignment.' || case tg_op when 'INSERT' then 'created' else 'updated' end, new.id);
  end if;
  insert into ocpi_assignment_moments (assignment_id, at)
  select distinct new.id, moment
  from unnest(array[new.valid_from, new.valid_until, assigned.starts_at, assigned.ends_at]) moment
  where new.is_active and moment > now() and moment < 'infinity'
  on conflict do nothing;
  return new;
end
$$;
create trigger tariff_assignment_event before insert or update on tariff_assignments
  for each row execute function record_assignment_event();
