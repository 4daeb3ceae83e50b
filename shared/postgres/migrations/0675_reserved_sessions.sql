-- Sessions that begin with a reservation that costs something (docs/adr/0089-reservation-costs.md).
alter table sessions
  -- The session began with the reservation. Charging begins with started_at; where it did not, the reservation ended then.
  add column reserved_at timestamptz,
  -- Null while the connector is reserved.
  add column reservation_end text;

-- safe: a wider constraint replaces it in this transaction
alter table sessions drop constraint sessions_status_check;
-- safe: it allows more than the constraint that it replaces; it is validated by 0676
alter table sessions add constraint sessions_status_check
  check (status in ('RESERVATION', 'ACTIVE', 'STOPPING', 'COMPLETED', 'INVALID')) not valid;
-- safe: it is of new columns and a new status, and is validated by 0676
alter table sessions add constraint sessions_reservation_check check (
  (reservation_end is null or reserved_at is not null and reservation_end in ('USED', 'USED_ELSEWHERE', 'CANCELLED', 'EXPIRED'))
  and (status <> 'RESERVATION' or reserved_at is not null)) not valid;

-- Its indexes follow in 0694 and 0698, since the locks of this transaction are on sessions as well.
-- safe: the column is new, and a scan of all reservations for its values takes less than a second
alter table reservations
  -- The session that bills the reservation: the one that used it, or one of its own. Null: the reservation costs nothing.
  add column billed_session_id bigint references sessions (id),
  -- The end of the reservation is not in that session yet.
  add column is_open boolean not null default false;

-- A session that is reserved is no start. It is one when its charging begins.
create or replace function record_session_event() returns trigger language plpgsql as $$
declare
  types text[];
  is_public boolean;
begin
  if tg_op = 'INSERT' and new.status = 'RESERVATION' then
    -- Operators see the reservation by its own events, and the session when it starts or ends.
    insert into outbox (network_id, type, subject_id, charger_id, internal)
    values (new.network_id, 'session.updated', new.id, new.charger_id,
      jsonb_build_object('status', new.status, 'changed', '["status"]'::jsonb, 'was', '{}'::jsonb));
    return null;
  end if;
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
    case when old.status = 'RESERVATION' and new.status = 'ACTIVE' then 'session.started' end,
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
