-- One row of the outbox serves operators and the product's own readers: `data` is public, `internal` is not.

-- The readers of the previous version do not know the new types. They find no row of their name and stop, instead of passing events
-- that they do not take. First of all locks: readers lock their row before they write.
update outbox_readers r set name = n.new_name
from (values ('session-facts', 'facts'), ('cdrs', 'cdr-marks'), ('evse-use', 'evse-usage'), ('ocpi-pushes', 'partner-pushes'))
  n (old_name, new_name)
where r.name = n.old_name;

-- Of a changed row: `changed`, the compared columns that differ, and `was`, the previous values of the columns that readers need.
alter table outbox add internal jsonb not null default '{}';
update outbox set internal = data, data = '{}', type = case type when 'session.created' then 'session.started' else type end
where type in ('session.created', 'session.updated', 'session_fact.due', 'location.created', 'location.updated', 'evse.created',
  'evse.updated', 'tariff.updated', 'tariff_assignment.created', 'tariff_assignment.updated');

-- The first event of a change carries what the product's own readers need, so that they read each change once. A change that
-- operators do not see is an internal event. `status` in `internal` is the status after the change.
create or replace function record_session_event() returns trigger language plpgsql as $$
declare
  types text[];
  is_public boolean;
begin
  if tg_op = 'INSERT' then
    insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data, internal)
    values (new.network_id, 'session.started', new.id, new.uuid, new.charger_id,
      jsonb_build_object('connectorId', (select k.uuid from connectors k where k.id = new.connector_id), 'status', new.status,
        'startedAt', new.started_at, 'endedAt', new.ended_at, 'energyWh', new.energy_wh, 'powerW', new.power_w,
        'costMinor', new.cost_minor, 'currency', new.currency, 'priceState', new.price_state),
      jsonb_build_object('status', new.status));
    return null;
  end if;
  is_public := (old.status, old.connector_id, old.started_at, old.ended_at, old.energy_wh, old.power_w, old.cost_minor, old.currency,
      old.price_state, old.user_id, old.id_token_id, old.version, old.idle_started_at is null)
    is distinct from (new.status, new.connector_id, new.started_at, new.ended_at, new.energy_wh, new.power_w, new.cost_minor,
      new.currency, new.price_state, new.user_id, new.id_token_id, new.version, new.idle_started_at is null);
  types := array_remove(array[
    case when old.status <> 'COMPLETED' and new.status = 'COMPLETED' then 'session.stopped' end,
    case when old.status = 'COMPLETED' and old.version <> new.version then 'session.amended' end,
    case when old.price_state <> 'REVIEW' and new.price_state = 'REVIEW' then 'session.under_review' end,
    case when old.price_state <> 'SETTLED' and new.price_state = 'SETTLED' then 'session.priced' end,
    case when new.status <> 'COMPLETED' and old.idle_started_at is null and new.idle_started_at is not null
      then 'session.idle' end], null);
  if types = '{}' then types := '{session.updated}'; end if;
  insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data, internal)
  select new.network_id, t.type, new.id, case when is_public then new.uuid end, new.charger_id,
    case when is_public then
      jsonb_build_object('connectorId', (select k.uuid from connectors k where k.id = new.connector_id), 'status', new.status,
        'startedAt', new.started_at, 'endedAt', new.ended_at, 'energyWh', new.energy_wh, 'powerW', new.power_w,
        'costMinor', new.cost_minor, 'currency', new.currency, 'priceState', new.price_state)
      else '{}' end,
    case when t.number = 1 then jsonb_build_object('status', new.status,
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
        'started_at', old.started_at, 'ended_at', old.ended_at)) else '{}' end
  from unnest(types) with ordinality t (type, number)
  order by t.number;
  return null;
end
$$;

-- Live values come every few seconds: they are an event once in five minutes at most, and of a partner's session twice a minute.
drop trigger session_updated on sessions;
create trigger session_updated after update on sessions
  for each row when (old.status = 'COMPLETED' or old.status <> new.status
    or floor(extract(epoch from old.live_at) / 300) is distinct from floor(extract(epoch from new.live_at) / 300)
    or (old.idle_started_at is null) <> (new.idle_started_at is null)
    or (old.connector_id, old.started_at, old.user_id, old.id_token_id)
      is distinct from (new.connector_id, new.started_at, new.user_id, new.id_token_id)
    or new.ocpi_partner_id is not null and (
      floor(extract(epoch from old.live_at) / 30) is distinct from floor(extract(epoch from new.live_at) / 30)
      or (old.ocpi_partner_id, old.ended_at, old.cost, old.currency, old.authorization_reference, old.meter_id, old.version)
        is distinct from (new.ocpi_partner_id, new.ended_at, new.cost, new.currency, new.authorization_reference,
          new.meter_id, new.version)))
  execute function record_session_event();
