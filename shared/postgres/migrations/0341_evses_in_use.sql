-- An EVSE is in use while a session runs there, whatever its connectors say. Beginning and end of a session lock no EVSE:
-- whoever stores states locks EVSEs before sessions. They leave a mark, and whoever queues pushes moves `last_updated`.
alter table ocpi_change_marks drop constraint ocpi_change_marks_kind_check,
  add check (kind in ('location', 'evse', 'connector', 'tariff', 'assignment', 'session', 'cdr', 'use'));
create index on ocpi_change_marks (id) where kind = 'use';

-- Only where it changes what partners are told: not where a connector says so itself, where all are out of order, where
-- another session runs, or while nobody knows (shared/domain/ocpi-evse.ts).
create function mark_use() returns trigger language plpgsql as $$
begin
  perform mark_for_partners('use', e.id, e.network_id, false)
  from connectors k
  join evses e on e.charger_id = k.charger_id and e.number = k.evse_number and e.removed_at is null
  join chargers c on c.id = k.charger_id and c.disconnected_at is null
  cross join lateral (
    select bool_or(o.status in ('Preparing', 'Charging', 'SuspendedEV', 'SuspendedEVSE', 'Finishing', 'Occupied')) as is_told,
      bool_and(o.status in ('Unavailable', 'Faulted')) as is_broken,
      bool_or(exists (select from sessions s
        where s.connector_id = o.id and s.status in ('ACTIVE', 'STOPPING') and s.id <> new.id)) as is_shared
    from connectors o
    where o.charger_id = k.charger_id and o.evse_number = k.evse_number and o.deleted_at is null
  ) place
  where k.id in (new.connector_id, old.connector_id) and not (is_told or is_broken or is_shared);
  return null;
end
$$;
create trigger evse_used after insert on sessions
  for each row when (new.status in ('ACTIVE', 'STOPPING')) execute function mark_use();
create trigger evse_use_changed after update of status, connector_id on sessions
  for each row when ((old.status in ('ACTIVE', 'STOPPING')) <> (new.status in ('ACTIVE', 'STOPPING'))
    or (new.status in ('ACTIVE', 'STOPPING') and old.connector_id <> new.connector_id))
  execute function mark_use();
