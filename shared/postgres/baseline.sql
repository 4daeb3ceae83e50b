-- Schema of a new database. Written by `npm run postgres:baseline`, from the migrations that its last rows list.

set local check_function_bodies = off;

create extension if not exists pg_trgm;

create sequence ocpp16_transaction_id as integer;

create sequence ocpp_charging_profile_id as integer cycle;

create sequence ocpp_reservation_id as integer cycle;

create sequence outbox_position as bigint;

create sequence session_fact_batch as bigint;

CREATE OR REPLACE FUNCTION ensure_connector(charger integer, evse integer, evse_connector_number integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  found_id integer;
begin
  select id into found_id from connectors k
    where k.charger_id = charger and k.evse_number = evse and k.evse_connector = evse_connector_number
      and k.deleted_at is null;
  if found_id is not null then return found_id; end if;

  perform 1 from chargers where id = charger for update;
  insert into connectors (charger_id, number, evse_number, evse_connector)
    select charger,
      case when exists (select 1 from connectors k where k.charger_id = charger and k.number = evse and k.deleted_at is null)
        then (select max(number) + 1 from connectors k where k.charger_id = charger and k.deleted_at is null)
        else evse end,
      evse, evse_connector_number
    on conflict (charger_id, evse_number, evse_connector) where deleted_at is null do nothing
    returning id into found_id;
  if found_id is null then
    select id into found_id from connectors k
      where k.charger_id = charger and k.evse_number = evse and k.evse_connector = evse_connector_number
        and k.deleted_at is null;
  end if;
  return found_id;
end
$function$;

CREATE OR REPLACE FUNCTION forbid_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$function$;

CREATE OR REPLACE FUNCTION announce_charger_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('charger_changed', coalesce(new.uid, old.uid));
  if tg_op = 'UPDATE' then
    if new.uid <> old.uid then perform pg_notify('charger_changed', old.uid); end if;
    if new.model_id is distinct from old.model_id then perform pg_notify('meter_overrides_changed', ''); end if;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION effective_tariff(of_charger integer, of_connector integer, at timestamp with time zone)
 RETURNS TABLE(assignment_id integer, tariff_id integer, level text, document jsonb)
 LANGUAGE sql
 STABLE
AS $function$
  select a.id, t.id,
    case when a.connector_id is not null then 'CONNECTOR' when a.charger_id is not null then 'CHARGER'
      when a.location_id is not null then 'LOCATION' else 'NETWORK' end,
    found.document || jsonb_build_object('time_zone', coalesce(l.time_zone, n.time_zone))
  from chargers c
  join networks n on n.id = c.network_id
  left join locations l on l.id = c.location_id
  join tariff_assignments a on a.is_active
    and (a.connector_id = of_connector or a.charger_id = c.id or a.location_id = c.location_id
      or a.network_id = c.network_id)
    and at >= a.valid_from and (a.valid_until is null or at < a.valid_until)
  join tariffs t on t.id = a.tariff_id
  cross join lateral (select tariff_at(t, at) as document) found
  where c.id = of_charger
    and coalesce(at >= (found.document ->> 'start_date_time')::timestamptz, true)
    and coalesce(at < (found.document ->> 'end_date_time')::timestamptz, true)
  order by (a.connector_id is null), (a.charger_id is null), (a.location_id is null)
  limit 1
$function$;

CREATE OR REPLACE FUNCTION post_ledger_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  posted ledger_transactions;
  after wallets;
begin
  select t.* into posted from ledger_transactions t where t.id = (select min(transaction_id) from added);
  if posted.id is null then return null; end if;
  if (select sum(amount_minor) <> 0 or max(transaction_id) <> posted.id from added)
    or (select count(*) from ledger_entries where transaction_id = posted.id) <> (select count(*) from added)
  then
    raise exception 'the entries of a ledger transaction come at once and sum to zero' using errcode = 'check_violation';
  end if;
  update wallets w set available_minor = w.available_minor + moved.available, held_minor = w.held_minor + moved.held,
    owed_minor = w.owed_minor - moved.receivable, updated_at = now()
  from (
    select coalesce(sum(amount_minor) filter (where account = 'available'), 0) as available,
      coalesce(sum(amount_minor) filter (where account = 'held'), 0) as held,
      coalesce(sum(amount_minor) filter (where account = 'receivable'), 0) as receivable
    from added
  ) moved
  where w.id = posted.wallet_id
  returning w.* into after;
  if (posted.available_after_minor, posted.held_after_minor, posted.owed_after_minor)
    is distinct from (after.available_minor, after.held_minor, after.owed_minor)
  then
    raise exception 'a ledger transaction does not lead to the balances that it says' using errcode = 'check_violation';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION forbid_unposted_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    if (new.available_minor, new.held_minor, new.owed_minor) = (0, 0, 0) then return new; end if;
  -- 1: this trigger itself.
  elsif pg_trigger_depth() > 1 then
    return new;
  end if;
  raise exception 'balances of wallets change by ledger entries alone' using errcode = 'insufficient_privilege';
end
$function$;

CREATE OR REPLACE FUNCTION keep_session_revision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into session_revisions (session_id, version, started_at, ended_at, energy_wh, meter_start_wh, meter_stop_wh,
    stop_reason, cost_minor, cost, flags)
  values (old.id, old.version, old.started_at, old.ended_at, old.energy_wh, old.meter_start_wh, old.meter_stop_wh,
    old.stop_reason, old.cost_minor, old.cost, old.flags);
  new.version := old.version + 1;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION date_connector()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.last_updated := now();
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION evse_follows_connector()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION evses_follow_charger()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION refuse_cdr_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a CDR is never changed: it is credited';
end
$function$;

CREATE OR REPLACE FUNCTION refuse_invoice_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'an invoice is never changed: it is credited';
end
$function$;

CREATE OR REPLACE FUNCTION printed_id(id text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN regexp_replace(upper(id), '[^A-Z0-9]'::text, ''::text, 'g'::text);

CREATE OR REPLACE FUNCTION has_partners(network integer)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return exists (
    select from ocpi_partners p where p.network_id = network and p.status <> 'PENDING' and p.deleted_at is null);
end
$function$;

CREATE OR REPLACE FUNCTION record_session_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION record_assignment_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION record_location_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION record_evse_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION forbid_change_of_audit_log()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and current_setting('chargeway.removes_past_audit_entries', true) = 'on' then
    return null;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$function$;

CREATE OR REPLACE FUNCTION had_partners(network integer)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return exists (
    select from ocpi_partners p where p.network_id = network and p.deleted_at is null
      and (p.first_registered_at is not null or p.status <> 'PENDING'));
end
$function$;

create table alert_channel_notices (
  id bigint generated always as identity not null,
  channel_id integer not null,
  notification_id bigint not null,
  cause text not null,
  due_at timestamp with time zone not null,
  state text default 'waiting'::text not null,
  tries integer default 0 not null,
  last_tried_at timestamp with time zone,
  http_status integer,
  last_error text,
  constraint alert_channel_notices_pkey PRIMARY KEY (id),
  constraint alert_channel_notices_notification_id_channel_id_cause_key UNIQUE (notification_id, channel_id, cause),
  constraint alert_channel_notices_cause_check CHECK ((cause = ANY (ARRAY['raised'::text, 'escalated'::text, 'cleared'::text]))),
  constraint alert_channel_notices_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'dropped'::text, 'failed'::text])))
);

create table alert_channels (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  name text not null,
  format text not null,
  target bytea,
  sealing_key text not null,
  target_set_at timestamp with time zone default now() not null,
  kinds text[] not null,
  minimum_severity text not null,
  language text,
  is_enabled boolean not null,
  due_at timestamp with time zone default now() not null,
  failures integer default 0 not null,
  last_delivered_at timestamp with time zone,
  last_failed_at timestamp with time zone,
  last_error text,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  claimed_until timestamp with time zone,
  constraint alert_channels_pkey PRIMARY KEY (id),
  constraint alert_channels_uuid_key UNIQUE (uuid),
  constraint alert_channels_format_check CHECK ((format = ANY (ARRAY['webhook'::text, 'slack'::text, 'teams'::text, 'pagerduty'::text]))),
  constraint alert_channels_minimum_severity_check CHECK ((minimum_severity = ANY (ARRAY['warning'::text, 'critical'::text])))
);

create table alert_mutes (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  charger_id integer,
  location_id integer,
  kind text,
  until timestamp with time zone not null,
  reason text,
  created_by text,
  created_at timestamp with time zone default now() not null,
  constraint alert_mutes_pkey PRIMARY KEY (id),
  constraint alert_mutes_uuid_key UNIQUE (uuid),
  constraint alert_mutes_check CHECK ((num_nonnulls(charger_id, location_id, kind) > 0))
);

create table alert_notices (
  id bigint generated always as identity not null,
  notification_id bigint not null,
  network_id integer,
  cause text not null,
  recipient text not null,
  language text,
  due_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  dropped_at timestamp with time zone,
  mail_id integer,
  constraint alert_notices_pkey PRIMARY KEY (id),
  constraint alert_notices_notification_id_cause_recipient_key UNIQUE (notification_id, cause, recipient),
  constraint alert_notices_cause_check CHECK ((cause = ANY (ARRAY['raised'::text, 'escalated'::text, 'cleared'::text])))
);

create table alert_notifications (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer,
  kind text not null,
  location_id integer,
  severity text not null,
  state text default 'collecting'::text not null,
  is_flapping boolean default false not null,
  created_at timestamp with time zone default now() not null,
  collects_until timestamp with time zone not null,
  notified_at timestamp with time zone,
  escalates_at timestamp with time zone,
  escalated_at timestamp with time zone,
  cleared_at timestamp with time zone,
  constraint alert_notifications_pkey PRIMARY KEY (id),
  constraint alert_notifications_uuid_key UNIQUE (uuid),
  constraint alert_notifications_state_check CHECK ((state = ANY (ARRAY['collecting'::text, 'notified'::text, 'silent'::text, 'cleared'::text])))
);

create table alert_rules (
  id integer generated always as identity not null,
  network_id integer,
  kind text not null,
  is_enabled boolean not null,
  severity text not null,
  thresholds jsonb not null,
  notifies boolean not null,
  recipients jsonb,
  group_window_seconds integer not null,
  quiet_from text,
  quiet_to text,
  escalate_after_minutes integer,
  escalate_to jsonb not null,
  updated_at timestamp with time zone default now() not null,
  constraint alert_rules_pkey PRIMARY KEY (id),
  constraint alert_rules_check CHECK (((quiet_from IS NULL) = (quiet_to IS NULL))),
  constraint alert_rules_escalate_after_minutes_check CHECK ((escalate_after_minutes > 0)),
  constraint alert_rules_group_window_seconds_check CHECK (((group_window_seconds >= 0) AND (group_window_seconds <= 3600))),
  constraint alert_rules_severity_check CHECK ((severity = ANY (ARRAY['warning'::text, 'critical'::text])))
);

create table alert_thresholds (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  name text not null,
  metric text not null,
  comparison text not null,
  value double precision not null,
  for_minutes integer not null,
  severity text not null,
  is_enabled boolean not null,
  measured_value double precision,
  measured_at timestamp with time zone,
  exceeded_since timestamp with time zone,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  constraint alert_thresholds_pkey PRIMARY KEY (id),
  constraint alert_thresholds_uuid_key UNIQUE (uuid),
  constraint alert_thresholds_comparison_check CHECK ((comparison = ANY (ARRAY['above'::text, 'below'::text]))),
  constraint alert_thresholds_for_minutes_check CHECK ((for_minutes >= 0)),
  constraint alert_thresholds_severity_check CHECK ((severity = ANY (ARRAY['warning'::text, 'critical'::text])))
);

create table alerts (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer,
  kind text not null,
  severity text not null,
  resource_type text not null,
  resource_id text not null,
  resource_name text not null,
  charger_id integer,
  session_id bigint,
  subject text default ''::text not null,
  message text not null,
  details jsonb not null,
  status text default 'open'::text not null,
  occurred_at timestamp with time zone not null,
  last_occurred_at timestamp with time zone not null,
  opened_at timestamp with time zone default now() not null,
  acknowledged_at timestamp with time zone,
  acknowledged_by text,
  note text,
  resolved_at timestamp with time zone,
  resolved_by text,
  notification_id bigint,
  delivery text default 'pending'::text not null,
  constraint alerts_pkey PRIMARY KEY (id),
  constraint alerts_uuid_key UNIQUE (uuid),
  constraint alerts_delivery_check CHECK ((delivery = ANY (ARRAY['pending'::text, 'grouped'::text, 'notified'::text, 'muted'::text, 'flapping'::text, 'silent'::text, 'cleared'::text]))),
  constraint alerts_resource_type_check CHECK ((resource_type = ANY (ARRAY['charger'::text, 'connector'::text, 'session'::text, 'gateway'::text, 'ocpi-partner'::text, 'wallet'::text, 'location'::text, 'certificate'::text, 'api-key'::text, 'threshold'::text, 'load-site'::text]))),
  constraint alerts_severity_check CHECK ((severity = ANY (ARRAY['warning'::text, 'critical'::text]))),
  constraint alerts_status_check CHECK ((status = ANY (ARRAY['open'::text, 'acknowledged'::text, 'resolved'::text])))
);

create table api_key_networks (
  api_key_id integer not null,
  network_id integer not null,
  constraint api_key_networks_pkey PRIMARY KEY (api_key_id, network_id)
);

create table api_keys (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  api_family text not null,
  secret_hash bytea not null,
  key_prefix text not null,
  last4 text not null,
  name text,
  description text,
  key_type text default 'Private'::text not null,
  unrestricted boolean default false not null,
  user_id integer,
  scopes text[] default '{}'::text[] not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  rate_limit_per_hour integer,
  allowed_ips text[] default '{}'::text[] not null,
  role_ceiling text default 'Owner'::text not null,
  last_used_at timestamp with time zone,
  usage_count bigint default 0 not null,
  created_by_key_id integer,
  created_by_operator_id integer,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_secret_hash_key UNIQUE (secret_hash),
  constraint api_keys_uuid_key UNIQUE (uuid),
  constraint api_keys_api_family_check CHECK ((api_family = ANY (ARRAY['cpms'::text, 'emsp'::text]))),
  constraint api_keys_check CHECK ((num_nonnulls(created_by_key_id, created_by_operator_id) <= 1)),
  constraint api_keys_check1 CHECK (((key_type = 'Private'::text) OR ((api_family = 'emsp'::text) AND (user_id IS NULL) AND (scopes <@ '{emsp:public}'::text[])))),
  constraint api_keys_key_type_check CHECK ((key_type = ANY (ARRAY['Private'::text, 'Publishable'::text]))),
  constraint api_keys_rate_limit_per_hour_check CHECK ((rate_limit_per_hour > 0)),
  constraint api_keys_role_ceiling_check CHECK ((role_ceiling = ANY (ARRAY['Owner'::text, 'Admin'::text, 'Manager'::text, 'Technician'::text, 'Support'::text, 'Finance'::text, 'Viewer'::text, 'Custom'::text])))
);

create table api_process_reports (
  name text not null,
  version text not null,
  node_version text not null,
  started_at timestamp with time zone not null,
  reported_at timestamp with time zone default now() not null,
  constraint api_process_reports_pkey PRIMARY KEY (name)
);

create table audit_log (
  id bigint generated always as identity not null,
  at timestamp with time zone default now() not null,
  network_id integer,
  category text not null,
  action text not null,
  resource_id text,
  resource_name text,
  description text not null,
  details jsonb not null,
  api_key_id integer,
  user_id uuid,
  user_name text,
  ip_address inet,
  request_id text,
  constraint audit_log_pkey PRIMARY KEY (id)
);

create table availability_exclusions (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  location_id integer,
  charger_id integer,
  evse_number integer,
  cause text not null,
  begins_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  reason text not null,
  alert_uuid uuid,
  created_by text,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint availability_exclusions_pkey PRIMARY KEY (id),
  constraint availability_exclusions_uuid_key UNIQUE (uuid),
  constraint availability_exclusions_cause_check CHECK ((cause = ANY (ARRAY['maintenance'::text, 'vandalism'::text, 'grid'::text, 'customer'::text, 'weather'::text]))),
  constraint availability_exclusions_check CHECK ((begins_at < ends_at)),
  constraint availability_exclusions_check1 CHECK (((location_id IS NULL) <> (charger_id IS NULL))),
  constraint availability_exclusions_check2 CHECK (((evse_number IS NULL) OR (charger_id IS NOT NULL))),
  constraint availability_exclusions_evse_number_check CHECK ((evse_number >= 1))
);

create table browser_sessions (
  id uuid default gen_random_uuid() not null,
  token_hash bytea not null,
  operator_id integer,
  api_key_id integer,
  method text not null,
  ip_address inet,
  user_agent text,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint browser_sessions_pkey PRIMARY KEY (id),
  constraint browser_sessions_token_hash_key UNIQUE (token_hash),
  constraint browser_sessions_check CHECK ((num_nonnulls(operator_id, api_key_id) = 1)),
  constraint browser_sessions_check1 CHECK (((method = 'apiKey'::text) = (api_key_id IS NOT NULL))),
  constraint browser_sessions_method_check CHECK ((method = ANY (ARRAY['password'::text, 'apiKey'::text, 'oidc'::text])))
);

create table bulk_job_items (
  id bigint generated always as identity not null,
  job_id bigint not null,
  charger_id integer not null,
  outcome text default 'queued'::text not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  answer text,
  error_code text,
  message text,
  constraint bulk_job_items_pkey PRIMARY KEY (id),
  constraint bulk_job_items_job_id_charger_id_key UNIQUE (job_id, charger_id),
  constraint bulk_job_items_outcome_check CHECK ((outcome = ANY (ARRAY['queued'::text, 'running'::text, 'accepted'::text, 'rejected'::text, 'failed'::text, 'timed-out'::text, 'offline'::text, 'skipped'::text, 'cancelled'::text, 'unknown'::text])))
);

create table bulk_jobs (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_ids integer[] not null,
  action text not null,
  parameters jsonb not null,
  sealed_parameters bytea not null,
  sealing_key text not null,
  total integer not null,
  concurrency integer not null,
  stop_after_failures integer,
  state text default 'QUEUED'::text not null,
  stop_reason text,
  created_by_key_id integer,
  created_by_operator_id integer,
  creator_name text,
  ip_address text not null,
  created_at timestamp with time zone default now() not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint bulk_jobs_pkey PRIMARY KEY (id),
  constraint bulk_jobs_uuid_key UNIQUE (uuid),
  constraint bulk_jobs_check CHECK (((created_by_key_id IS NULL) <> (created_by_operator_id IS NULL))),
  constraint bulk_jobs_concurrency_check CHECK ((concurrency > 0)),
  constraint bulk_jobs_state_check CHECK ((state = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text, 'COMPLETED'::text, 'CANCELLED'::text, 'STOPPED'::text]))),
  constraint bulk_jobs_stop_after_failures_check CHECK ((stop_after_failures > 0))
);

create table cdr_marks (
  id bigint generated always as identity not null,
  session_id bigint not null,
  constraint cdr_marks_pkey PRIMARY KEY (id)
);

create table cdrs (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  partner_id integer not null,
  session_id bigint not null,
  session_version integer not null,
  ocpi_id text not null,
  credits_id bigint,
  currency character(3) not null,
  total_excl_vat_minor bigint not null,
  total_incl_vat_minor bigint not null,
  document jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint cdrs_pkey PRIMARY KEY (id),
  constraint cdrs_credits_id_key UNIQUE (credits_id),
  constraint cdrs_ocpi_id_key UNIQUE (ocpi_id),
  constraint cdrs_uuid_key UNIQUE (uuid),
  constraint cdrs_ocpi_id_check CHECK ((length(ocpi_id) <= 39))
);

create table certificate_requests (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  charger_id integer not null,
  certificate_type text,
  csr text not null,
  csr_digest bytea not null,
  status text not null,
  reason text,
  chain text,
  requested_at timestamp with time zone not null,
  status_at timestamp with time zone not null,
  constraint certificate_requests_pkey PRIMARY KEY (id),
  constraint certificate_requests_charger_id_csr_digest_key UNIQUE (charger_id, csr_digest),
  constraint certificate_requests_uuid_key UNIQUE (uuid),
  constraint certificate_requests_status_check CHECK ((status = ANY (ARRAY['Rejected'::text, 'Pending'::text, 'Signed'::text, 'Installed'::text, 'Refused'::text])))
);

create table charger_certificates (
  id bigint generated always as identity not null,
  charger_id integer not null,
  certificate_type text not null,
  pem text not null,
  hash_algorithm text not null,
  issuer_name_hash text not null,
  issuer_key_hash text not null,
  serial_number text not null,
  installed_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  uuid uuid default gen_random_uuid() not null,
  valid_to timestamp with time zone,
  constraint charger_certificates_pkey PRIMARY KEY (id),
  constraint charger_certificates_uuid_key UNIQUE (uuid)
);

create table charger_models (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  manufacturer_id integer not null,
  model_name text not null,
  description text,
  max_power_w integer,
  ocpp_version text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  number_of_connectors integer,
  supported_connector_types text,
  supported_features text,
  image_url text,
  datasheet_url text,
  version integer default 1 not null,
  deleted_at timestamp with time zone,
  constraint charger_models_pkey PRIMARY KEY (id),
  constraint charger_models_uuid_key UNIQUE (uuid),
  constraint charger_models_number_of_connectors_check CHECK ((number_of_connectors > 0)),
  constraint charger_models_ocpp_version_check CHECK ((ocpp_version = ANY (ARRAY['1.6'::text, '2.0.1'::text, '2.1'::text])))
);

create table charger_notifications (
  id bigint generated always as identity not null,
  charger_id integer not null,
  action text not null,
  request_id integer,
  seq_no integer,
  payload jsonb not null,
  received_at timestamp with time zone not null,
  constraint charger_notifications_pkey PRIMARY KEY (id)
);

create table charger_reports (
  charger_id integer not null,
  action text not null,
  request_id integer not null,
  generated_at timestamp with time zone not null,
  received_parts integer[] not null,
  last_part integer,
  updated_at timestamp with time zone not null,
  is_complete boolean generated always as (((last_part IS NOT NULL) AND (cardinality(received_parts) > last_part))) stored not null,
  constraint charger_reports_pkey PRIMARY KEY (charger_id, action, request_id)
);

create table chargers (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  location_id integer,
  model_id integer,
  uid text not null,
  evse_id text not null,
  serial_number text not null,
  vendor text,
  vendor_model text,
  firmware_version text,
  ocpp_version text,
  status text default 'UNKNOWN'::text not null,
  station_status text,
  is_public boolean default true not null,
  security_profile integer default 1 not null,
  password_hash bytea not null,
  max_power_w integer,
  physical_reference text,
  floor_level text,
  last_boot_at timestamp with time zone,
  last_boot_reason text,
  last_heartbeat_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  pending_password_hashes bytea[] default '{}'::bytea[] not null,
  local_list_version integer,
  local_list_sent_at timestamp with time zone,
  wanted_availability text default 'Operative'::text not null,
  connection_id uuid,
  connected_shard uuid,
  connected_at timestamp with time zone,
  disconnected_at timestamp with time zone,
  certificate_cn text,
  version integer default 1 not null,
  device_model_cut_at timestamp with time zone,
  registration text default 'Accepted'::text not null,
  feature_profiles text[],
  local_offset_minutes smallint default 0 not null,
  device_model_boot_at timestamp with time zone,
  constraint chargers_pkey PRIMARY KEY (id),
  constraint chargers_evse_id_key UNIQUE (evse_id),
  constraint chargers_uuid_key UNIQUE (uuid),
  constraint chargers_certificate_cn_check CHECK (((length(certificate_cn) >= 1) AND (length(certificate_cn) <= 64))),
  constraint chargers_ocpp_version_check CHECK ((ocpp_version = ANY (ARRAY['1.6'::text, '2.0.1'::text, '2.1'::text]))),
  constraint chargers_registration_check CHECK ((registration = ANY (ARRAY['Accepted'::text, 'Pending'::text, 'Rejected'::text]))),
  constraint chargers_security_profile_check CHECK (((security_profile >= 0) AND (security_profile <= 3))),
  constraint chargers_uid_check CHECK (((length(uid) >= 1) AND (length(uid) <= 48))),
  constraint chargers_wanted_availability_check CHECK ((wanted_availability = ANY (ARRAY['Operative'::text, 'Inoperative'::text])))
) with (fillfactor=70);

create table charging_profiles (
  charger_id integer not null,
  evse integer not null,
  source text default 'CSO'::text not null,
  profile_id integer not null,
  purpose text not null,
  stack_level integer not null,
  profile jsonb not null,
  reported_at timestamp with time zone not null,
  constraint charging_profiles_pkey PRIMARY KEY (charger_id, evse, source, profile_id)
);

create table connectors (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  charger_id integer not null,
  number integer not null,
  evse_number integer not null,
  evse_connector integer default 1 not null,
  standard text,
  format text,
  power_type text,
  max_voltage integer,
  max_amperage integer,
  max_power_w integer,
  status text default 'UNKNOWN'::text not null,
  error_code text,
  vendor_error_code text,
  status_info text,
  status_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  wanted_availability text default 'Operative'::text not null,
  version integer default 1 not null,
  terms_and_conditions text,
  stated_at timestamp with time zone default now() not null,
  last_updated timestamp with time zone default now() not null,
  given_ocpi_id text,
  ocpi_id text generated always as (COALESCE(given_ocpi_id, (evse_connector)::text)) stored not null,
  capabilities text[] default '{}'::text[] not null,
  constraint connectors_pkey PRIMARY KEY (id),
  constraint connectors_uuid_key UNIQUE (uuid),
  constraint connectors_evse_connector_check CHECK ((evse_connector >= 1)),
  constraint connectors_evse_number_check CHECK ((evse_number >= 1)),
  constraint connectors_given_ocpi_id_check CHECK (((length(given_ocpi_id) >= 1) AND (length(given_ocpi_id) <= 36))),
  constraint connectors_number_check CHECK ((number >= 1)),
  constraint connectors_wanted_availability_check CHECK ((wanted_availability = ANY (ARRAY['Operative'::text, 'Inoperative'::text])))
) with (fillfactor=70);

create table custom_roles (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer,
  name text not null,
  scopes text[] not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint custom_roles_pkey PRIMARY KEY (id),
  constraint custom_roles_uuid_key UNIQUE (uuid)
);

create table device_events (
  id bigint generated always as identity not null,
  charger_id integer not null,
  event_id bigint not null,
  occurred_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  time_flag text,
  trigger text not null,
  notification_type text not null,
  component text not null,
  component_instance text not null,
  evse integer not null,
  connector integer not null,
  variable text not null,
  variable_instance text not null,
  actual_value text not null,
  cause integer,
  tech_code text,
  tech_info text,
  cleared boolean,
  transaction_id text,
  monitor_id integer,
  constraint device_events_pkey PRIMARY KEY (id),
  constraint device_events_charger_id_event_id_occurred_at_key UNIQUE (charger_id, event_id, occurred_at)
);

create table device_variables (
  charger_id integer not null,
  component text not null,
  component_instance text not null,
  evse integer not null,
  connector integer not null,
  variable text not null,
  variable_instance text not null,
  attribute text not null,
  value text,
  mutability text not null,
  persistent boolean not null,
  constant boolean not null,
  unit text,
  data_type text,
  min_limit double precision,
  max_limit double precision,
  values_list text,
  supports_monitoring boolean,
  reported_at timestamp with time zone not null,
  id bigint generated always as identity not null,
  constraint device_variables_pkey PRIMARY KEY (charger_id, component, component_instance, evse, connector, variable, variable_instance, attribute),
  constraint device_variables_attribute_check CHECK ((attribute = ANY (ARRAY['Actual'::text, 'Target'::text, 'MinSet'::text, 'MaxSet'::text])))
);

create table driver_accounts (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  user_id integer,
  email text,
  name text,
  phone text,
  language text,
  password_hash text not null,
  last_login_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint driver_accounts_pkey PRIMARY KEY (id),
  constraint driver_accounts_user_id_key UNIQUE (user_id),
  constraint driver_accounts_uuid_key UNIQUE (uuid),
  constraint driver_accounts_check CHECK ((((user_id IS NULL) = (email IS NOT NULL)) AND ((user_id IS NULL) = (name IS NOT NULL))))
);

create table driver_mail_tokens (
  token_hash bytea not null,
  purpose text not null,
  account_id integer,
  user_id integer,
  email text,
  expires_at timestamp with time zone not null,
  constraint driver_mail_tokens_pkey PRIMARY KEY (token_hash),
  constraint driver_mail_tokens_check CHECK (((account_id IS NULL) OR (user_id IS NULL))),
  constraint driver_mail_tokens_purpose_check CHECK ((purpose = ANY (ARRAY['verify-email'::text, 'reset-password'::text])))
);

create table driver_refresh_tokens (
  token_hash bytea not null,
  session_id uuid not null,
  used_at timestamp with time zone,
  constraint driver_refresh_tokens_pkey PRIMARY KEY (token_hash)
);

create table driver_sessions (
  id uuid default gen_random_uuid() not null,
  account_id integer not null,
  ip_address inet,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint driver_sessions_pkey PRIMARY KEY (id)
);

create table event_streams (
  charger_id integer not null,
  stream_id integer not null,
  monitor_id integer not null,
  interval_seconds integer,
  max_values integer,
  opened_at timestamp with time zone not null,
  constraint event_streams_pkey PRIMARY KEY (charger_id, stream_id)
);

create table evses (
  id integer generated always as identity not null,
  uid text default (gen_random_uuid())::text not null,
  network_id integer not null,
  charger_id integer not null,
  number integer not null,
  evse_id text,
  stated_status text,
  status_schedule jsonb default '[]'::jsonb not null,
  capabilities text[],
  physical_reference text,
  floor_level text,
  latitude double precision,
  longitude double precision,
  directions jsonb default '[]'::jsonb not null,
  parking_restrictions text[] default '{}'::text[] not null,
  images jsonb default '[]'::jsonb not null,
  removed_at timestamp with time zone,
  stated_at timestamp with time zone default now() not null,
  last_updated timestamp with time zone default now() not null,
  version integer default 1 not null,
  connectors_updated_at timestamp with time zone,
  parking jsonb default '[]'::jsonb not null,
  constraint evses_pkey PRIMARY KEY (id),
  constraint evses_charger_id_number_key UNIQUE (charger_id, number),
  constraint evses_check CHECK (((latitude IS NULL) = (longitude IS NULL))),
  constraint evses_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
  constraint evses_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
  constraint evses_number_check CHECK ((number >= 1)),
  constraint evses_uid_check CHECK (((length(uid) >= 1) AND (length(uid) <= 36)))
);

create table export_parts (
  export_id bigint not null,
  number integer not null,
  range_from timestamp with time zone not null,
  range_to timestamp with time zone not null,
  file_name text,
  stored_at timestamp with time zone,
  rows bigint,
  size_bytes bigint,
  sha256 text,
  constraint export_parts_pkey PRIMARY KEY (export_id, number),
  constraint export_parts_number_check CHECK ((number > 0))
);

create table exports (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_ids integer[] not null,
  dataset text not null,
  format text not null,
  range_by text not null,
  range_from timestamp with time zone not null,
  range_to timestamp with time zone not null,
  state text default 'QUEUED'::text not null,
  failure text,
  created_by uuid not null,
  created_by_name text,
  created_at timestamp with time zone default now() not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  expires_at timestamp with time zone,
  worker uuid,
  leased_until timestamp with time zone,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone default now() not null,
  constraint exports_pkey PRIMARY KEY (id),
  constraint exports_uuid_key UNIQUE (uuid),
  constraint exports_check CHECK ((range_to > range_from)),
  constraint exports_check1 CHECK (((failure IS NULL) OR (state = ANY (ARRAY['FAILED'::text, 'EXPIRED'::text])))),
  constraint exports_dataset_check CHECK ((dataset = ANY (ARRAY['sessions'::text, 'cdrs'::text, 'meter-values'::text]))),
  constraint exports_format_check CHECK ((format = ANY (ARRAY['parquet'::text, 'csv'::text]))),
  constraint exports_network_ids_check CHECK ((cardinality(network_ids) > 0)),
  constraint exports_range_by_check CHECK ((range_by = ANY (ARRAY['occurred'::text, 'updated'::text]))),
  constraint exports_state_check CHECK ((state = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text, 'COMPLETED'::text, 'FAILED'::text, 'EXPIRED'::text])))
);

create table firmware_images (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  model_id integer not null,
  version text not null,
  file_name text not null,
  release_notes text,
  ocpp_version_support text not null,
  download_token text not null,
  checksum text,
  size_bytes bigint,
  uploaded_at timestamp with time zone,
  released_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  constraint firmware_images_pkey PRIMARY KEY (id),
  constraint firmware_images_uuid_key UNIQUE (uuid),
  constraint firmware_images_check CHECK (((uploaded_at IS NULL) OR ((size_bytes IS NOT NULL) AND (checksum IS NOT NULL)))),
  constraint firmware_images_checksum_check CHECK ((checksum ~ '^[0-9a-f]{64}$'::text)),
  constraint firmware_images_size_bytes_check CHECK ((size_bytes > 0))
);

create table firmware_update_statuses (
  id bigint generated always as identity not null,
  charger_id integer not null,
  update_id bigint,
  kind text not null,
  request_id integer,
  status text not null,
  received_at timestamp with time zone not null,
  constraint firmware_update_statuses_pkey PRIMARY KEY (id)
);

create table firmware_updates (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  charger_id integer not null,
  kind text default 'Update'::text not null,
  request_id integer,
  location text not null,
  firmware_version text,
  retrieve_at timestamp with time zone,
  install_at timestamp with time zone,
  status text default 'Requested'::text not null,
  status_at timestamp with time zone default now() not null,
  outcome text,
  closed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint firmware_updates_pkey PRIMARY KEY (id),
  constraint firmware_updates_uuid_key UNIQUE (uuid),
  constraint firmware_updates_kind_check CHECK ((kind = ANY (ARRAY['Update'::text, 'Publish'::text]))),
  constraint firmware_updates_outcome_check CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'failed'::text])))
);

create table gateway_shard_reports (
  node text not null,
  gateway text not null,
  shard integer not null,
  version text not null,
  started_at timestamp with time zone not null,
  reported_at timestamp with time zone default now() not null,
  figures jsonb not null,
  constraint gateway_shard_reports_pkey PRIMARY KEY (node)
);

create table gateway_shards (
  id uuid not null,
  seen_at timestamp with time zone not null,
  spooled_batches integer default 0 not null,
  spooling_since timestamp with time zone,
  constraint gateway_shards_pkey PRIMARY KEY (id)
);

create table id_token_caches (
  id_token_id integer not null,
  charger_id integer not null,
  told_at timestamp with time zone default now() not null,
  constraint id_token_caches_pkey PRIMARY KEY (id_token_id, charger_id)
);

create table id_tokens (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  user_id integer,
  uid text not null,
  type text not null,
  is_valid boolean default true not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  version integer default 1 not null,
  visual_number text,
  issuer text,
  contract_id text,
  group_id text,
  whitelist text default 'ALLOWED'::text not null,
  chargers_must_forget boolean default false not null,
  forget_since timestamp with time zone,
  search_text text generated always as (lower(((uid || COALESCE((' '::text || visual_number), ''::text)) || COALESCE((' '::text || contract_id), ''::text)))) stored not null,
  is_driver_blocked boolean default false not null,
  constraint id_tokens_pkey PRIMARY KEY (id),
  constraint id_tokens_uuid_key UNIQUE (uuid),
  constraint id_tokens_contract_id_check CHECK (((length(contract_id) >= 1) AND (length(contract_id) <= 36))),
  constraint id_tokens_group_id_check CHECK (((length(group_id) >= 1) AND (length(group_id) <= 36))),
  constraint id_tokens_issuer_check CHECK (((length(issuer) >= 1) AND (length(issuer) <= 64))),
  constraint id_tokens_type_check CHECK ((type = ANY (ARRAY['RFID'::text, 'APP_USER'::text, 'AD_HOC_USER'::text, 'OTHER'::text]))),
  constraint id_tokens_uid_check CHECK (((length(uid) >= 1) AND (length(uid) <= 255))),
  constraint id_tokens_visual_number_check CHECK (((length(visual_number) >= 1) AND (length(visual_number) <= 64))),
  constraint id_tokens_whitelist_check CHECK ((whitelist = ANY (ARRAY['ALWAYS'::text, 'ALLOWED'::text, 'ALLOWED_OFFLINE'::text, 'NEVER'::text])))
);

create table idempotency_keys (
  id bytea not null,
  fingerprint bytea not null,
  attempt uuid not null,
  claimed_until timestamp with time zone not null,
  answer bytea,
  expires_at timestamp with time zone not null,
  cause uuid,
  constraint idempotency_keys_pkey PRIMARY KEY (id)
);

create table import_rows (
  import_id integer not null,
  line integer not null,
  id bigint generated always as identity not null,
  sealed_cells bytea not null,
  sealed_password bytea,
  sealing_key text not null,
  outcome text default 'pending'::text not null,
  key_digest bytea,
  resource_uuid uuid,
  errors jsonb,
  unique_digest bytea,
  constraint import_rows_pkey PRIMARY KEY (id),
  constraint import_rows_import_id_line_key UNIQUE (import_id, line),
  constraint import_rows_outcome_check CHECK ((outcome = ANY (ARRAY['pending'::text, 'created'::text, 'changed'::text, 'unchanged'::text, 'failed'::text])))
);

create table imports (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  kind text not null,
  state text default 'RECEIVING'::text not null,
  file_name text not null,
  separator text not null,
  header jsonb not null,
  mapping jsonb not null,
  total integer default 0 not null,
  stop_reason text,
  created_by_key_id integer,
  created_by_operator_id integer,
  creator_name text,
  ip_address text not null,
  created_at timestamp with time zone default now() not null,
  state_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint imports_pkey PRIMARY KEY (id),
  constraint imports_uuid_key UNIQUE (uuid),
  constraint imports_check CHECK (((created_by_key_id IS NULL) <> (created_by_operator_id IS NULL))),
  constraint imports_state_check CHECK ((state = ANY (ARRAY['RECEIVING'::text, 'UPLOADED'::text, 'CHECKING'::text, 'CHECKED'::text, 'APPLYING'::text, 'COMPLETED'::text, 'CANCELLED'::text, 'STOPPED'::text, 'EXPIRED'::text])))
);

create table inactivity_notices (
  user_id integer not null,
  mail_id integer not null,
  sent_at timestamp with time zone default now() not null,
  constraint inactivity_notices_pkey PRIMARY KEY (user_id)
);

create table invoice_counters (
  network_id integer not null,
  year integer not null,
  last_number integer not null,
  constraint invoice_counters_pkey PRIMARY KEY (network_id, year),
  constraint invoice_counters_last_number_check CHECK ((last_number > 0))
);

create table invoices (
  id bigint generated always as identity not null,
  network_id integer not null,
  number text not null,
  kind text not null,
  credited_id bigint,
  reason text,
  user_id integer,
  currency character(3) not null,
  issued_at timestamp with time zone not null,
  total_excl_vat_minor bigint not null,
  total_vat_minor bigint not null,
  total_incl_vat_minor bigint not null,
  session_count integer not null,
  document jsonb not null,
  uuid uuid default gen_random_uuid() not null,
  constraint invoices_pkey PRIMARY KEY (id),
  constraint invoices_credited_id_key UNIQUE (credited_id),
  constraint invoices_network_id_number_key UNIQUE (network_id, number),
  constraint invoices_uuid_key UNIQUE (uuid),
  constraint invoices_check CHECK (((total_excl_vat_minor + total_vat_minor) = total_incl_vat_minor)),
  constraint invoices_check1 CHECK ((((kind = 'CREDIT_NOTE'::text) = (credited_id IS NOT NULL)) AND ((kind = 'CREDIT_NOTE'::text) = (reason IS NOT NULL)))),
  constraint invoices_kind_check CHECK ((kind = ANY (ARRAY['INVOICE'::text, 'CREDIT_NOTE'::text]))),
  constraint invoices_session_count_check CHECK ((session_count > 0))
);

create table ledger_entries (
  id bigint generated always as identity not null,
  transaction_id bigint not null,
  account text not null,
  amount_minor bigint not null,
  constraint ledger_entries_pkey PRIMARY KEY (id),
  constraint ledger_entries_transaction_id_account_key UNIQUE (transaction_id, account),
  constraint ledger_entries_account_check CHECK ((account = ANY (ARRAY['available'::text, 'held'::text, 'receivable'::text, 'cash'::text, 'revenue'::text, 'adjustments'::text]))),
  constraint ledger_entries_amount_minor_check CHECK ((amount_minor <> 0))
);

create table ledger_transactions (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  wallet_id integer not null,
  cause text not null,
  cause_id text not null,
  session_id bigint,
  reason text,
  available_after_minor bigint not null,
  held_after_minor bigint not null,
  owed_after_minor bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint ledger_transactions_pkey PRIMARY KEY (id),
  constraint ledger_transactions_cause_cause_id_key UNIQUE (cause, cause_id),
  constraint ledger_transactions_uuid_key UNIQUE (uuid),
  constraint ledger_transactions_cause_check CHECK ((cause = ANY (ARRAY['TOP_UP'::text, 'REFUND'::text, 'CREDIT'::text, 'DEBIT'::text, 'HOLD'::text, 'RELEASE'::text, 'SESSION'::text])))
);

create unlogged table limit_checks (
  session_id bigint not null,
  seen_version xid not null,
  wallet_id integer,
  available_minor bigint not null,
  held_minor bigint not null,
  next_at timestamp with time zone not null,
  constraint limit_checks_pkey PRIMARY KEY (session_id)
) with (fillfactor=50);

create table load_bounds (
  site_id integer not null,
  id text not null,
  source text not null,
  circuit_id text,
  connector_id integer,
  amps double precision[] not null,
  valid_from timestamp with time zone,
  valid_until timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint load_bounds_pkey PRIMARY KEY (site_id, id),
  constraint load_bounds_check CHECK (((circuit_id IS NULL) <> (connector_id IS NULL)))
);

create table load_circuits (
  site_id integer not null,
  id text not null,
  name text not null,
  "position" integer not null,
  parent_id text,
  amps double precision[] not null,
  schedule jsonb not null,
  other jsonb not null,
  transformer_ratio double precision,
  overloaded_since timestamp with time zone,
  meter_lost_since timestamp with time zone,
  constraint load_circuits_pkey PRIMARY KEY (site_id, id)
);

create table load_connectors (
  connector_id integer not null,
  site_id integer not null,
  circuit_id text not null,
  "position" integer not null,
  rotation text,
  connection text not null,
  voltage double precision not null,
  min_amps double precision not null,
  max_amps double precision not null,
  fallback_amps double precision not null,
  control text not null,
  quirks text[],
  priority double precision not null,
  set_aside_at timestamp with time zone,
  profiles_cleared_at timestamp with time zone,
  unconfirmed_since timestamp with time zone,
  constraint load_connectors_pkey PRIMARY KEY (connector_id)
);

create table load_sites (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  location_id integer,
  name text not null,
  is_enabled boolean not null,
  strategy text not null,
  min_on_seconds integer not null,
  turn_seconds integer not null,
  raise_every_seconds integer not null,
  ramp_amps double precision not null,
  rebalance_every_seconds integer not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  lease_owner text,
  lease_until timestamp with time zone,
  constraint load_sites_pkey PRIMARY KEY (id),
  constraint load_sites_uuid_key UNIQUE (uuid)
);

create table local_list_entries (
  charger_id integer not null,
  id_token_id integer not null,
  read_at timestamp with time zone not null,
  constraint local_list_entries_pkey PRIMARY KEY (charger_id, id_token_id)
);

create table locations (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  name text not null,
  address text not null,
  city text not null,
  postal_code text,
  country character(3) not null,
  latitude double precision not null,
  longitude double precision not null,
  time_zone text default 'UTC'::text not null,
  is_published boolean default true not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  state text,
  parking_type text,
  directions jsonb default '[]'::jsonb not null,
  operator jsonb,
  suboperator jsonb,
  owner jsonb,
  facilities text[] default '{}'::text[] not null,
  opening_times jsonb,
  charging_when_closed boolean default true not null,
  images jsonb default '[]'::jsonb not null,
  energy_mix jsonb,
  version integer default 1 not null,
  related_locations jsonb default '[]'::jsonb not null,
  publish_allowed_to jsonb default '[]'::jsonb not null,
  stated_at timestamp with time zone default now() not null,
  evses_moved_at timestamp with time zone,
  given_ocpi_id text,
  ocpi_id text generated always as (COALESCE(given_ocpi_id, (uuid)::text)) stored not null,
  parking_places jsonb default '[]'::jsonb not null,
  constraint locations_pkey PRIMARY KEY (id),
  constraint locations_uuid_key UNIQUE (uuid),
  constraint locations_given_ocpi_id_check CHECK (((length(given_ocpi_id) >= 1) AND (length(given_ocpi_id) <= 36))),
  constraint locations_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
  constraint locations_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)))
);

create table log_upload_statuses (
  id bigint generated always as identity not null,
  charger_id integer not null,
  update_id bigint,
  kind text not null,
  request_id integer,
  status text not null,
  received_at timestamp with time zone not null,
  constraint log_upload_statuses_pkey PRIMARY KEY (id)
);

create table log_uploads (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  charger_id integer not null,
  kind text not null,
  log_type text,
  request_id integer,
  location text not null,
  file_name text,
  oldest_at timestamp with time zone,
  latest_at timestamp with time zone,
  status text default 'Requested'::text not null,
  status_at timestamp with time zone default now() not null,
  outcome text,
  closed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint log_uploads_pkey PRIMARY KEY (id),
  constraint log_uploads_uuid_key UNIQUE (uuid),
  constraint log_uploads_kind_check CHECK ((kind = ANY (ARRAY['Diagnostics'::text, 'Log'::text]))),
  constraint log_uploads_outcome_check CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'failed'::text])))
);

create table login_challenges (
  token_hash bytea not null,
  operator_id integer not null,
  state text default 'waiting'::text not null,
  wrong_answers integer default 0 not null,
  passkey_challenge text,
  expires_at timestamp with time zone not null,
  constraint login_challenges_pkey PRIMARY KEY (token_hash),
  constraint login_challenges_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'passed'::text, 'failed'::text])))
);

create table mails (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer,
  kind text not null,
  recipient text,
  subject text,
  body_text text,
  body_html text,
  created_at timestamp with time zone default now() not null,
  sent_at timestamp with time zone,
  given_up_at timestamp with time zone,
  refusal text,
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_uuid_key UNIQUE (uuid)
);

create table manufacturers (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  website text,
  support_email text,
  support_phone text,
  version integer default 1 not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  constraint manufacturers_pkey PRIMARY KEY (id),
  constraint manufacturers_uuid_key UNIQUE (uuid)
);

create table meter_keys (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  charger_id integer not null,
  connector_id integer,
  public_key text not null,
  curve text not null,
  status text not null,
  created_at timestamp with time zone default now() not null,
  registered_at timestamp with time zone,
  removed_at timestamp with time zone,
  constraint meter_keys_pkey PRIMARY KEY (id),
  constraint meter_keys_charger_id_public_key_key UNIQUE (charger_id, public_key),
  constraint meter_keys_uuid_key UNIQUE (uuid),
  constraint meter_keys_check CHECK (((registered_at IS NULL) = (status = 'CLAIMED'::text))),
  constraint meter_keys_check1 CHECK (((removed_at IS NULL) = (status <> 'REMOVED'::text))),
  constraint meter_keys_public_key_check CHECK ((length(public_key) <= 1000)),
  constraint meter_keys_status_check CHECK ((status = ANY (ARRAY['CLAIMED'::text, 'REGISTERED'::text, 'REMOVED'::text])))
);

create table meter_overrides (
  model_id integer not null,
  overrides jsonb not null,
  version integer default 1 not null,
  updated_at timestamp with time zone default now() not null,
  constraint meter_overrides_pkey PRIMARY KEY (model_id)
);

create table networks (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  slug text not null,
  name text not null,
  currency character(3) default 'EUR'::bpchar not null,
  time_zone text default 'UTC'::text not null,
  country_code character(2) default 'NL'::bpchar not null,
  party_id character(3) default 'CWY'::bpchar not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  allow_unauthenticated_chargers boolean default false not null,
  version integer default 1 not null,
  language text default 'en'::text not null,
  legal_name text,
  vat_number text,
  postal_address text,
  website text,
  support_email text,
  support_phone text,
  logo_url text,
  primary_color text,
  secondary_color text,
  minimum_balance_minor bigint default 500 not null,
  new_charger_registration text default 'Accepted'::text not null,
  postal_code text,
  city text,
  country text,
  iban text,
  bic text,
  bank_account text,
  payment_term_days integer default 30 not null,
  rate_limit_per_minute integer,
  personal_data_days integer,
  requires_verified_email boolean default false not null,
  requires_second_factor boolean default false not null,
  charging_url text,
  constraint networks_pkey PRIMARY KEY (id),
  constraint networks_slug_key UNIQUE (slug),
  constraint networks_uuid_key UNIQUE (uuid),
  constraint networks_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint networks_minimum_balance_minor_check CHECK ((minimum_balance_minor >= 0)),
  constraint networks_new_charger_registration_check CHECK ((new_charger_registration = ANY (ARRAY['Accepted'::text, 'Pending'::text]))),
  constraint networks_payment_term_days_check CHECK (((payment_term_days >= 0) AND (payment_term_days <= 365))),
  constraint networks_personal_data_days_check CHECK ((personal_data_days >= 365)),
  constraint networks_primary_color_check CHECK ((primary_color ~ '^#[0-9a-f]{6}$'::text)),
  constraint networks_rate_limit_per_minute_check CHECK ((rate_limit_per_minute > 0)),
  constraint networks_secondary_color_check CHECK ((secondary_color ~ '^#[0-9a-f]{6}$'::text))
);

create table ocpi_assignment_moments (
  assignment_id integer not null,
  at timestamp with time zone not null,
  constraint ocpi_assignment_moments_pkey PRIMARY KEY (assignment_id, at)
);

create table ocpi_authorizations (
  id bigint generated always as identity not null,
  partner_id integer not null,
  charger_id integer not null,
  token_uid text not null,
  token jsonb not null,
  auth_method text not null,
  authorization_reference text,
  group_id text,
  given_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  session_id bigint,
  constraint ocpi_authorizations_pkey PRIMARY KEY (id),
  constraint ocpi_authorizations_auth_method_check CHECK ((auth_method = ANY (ARRAY['AUTH_REQUEST'::text, 'COMMAND'::text])))
);

create table ocpi_commands (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  partner_id integer not null,
  type text not null,
  command_id text,
  repeat_key text,
  response_url text,
  task jsonb,
  asked jsonb not null,
  charger_id integer,
  session_id bigint,
  authorization_id bigint,
  reservation_id bigint,
  is_cancellation_due boolean default false not null,
  is_own_cancellation boolean default false not null,
  answer text not null,
  answer_message text,
  answer_code integer not null,
  begin_by timestamp with time zone not null,
  begun_at timestamp with time zone,
  result text,
  result_message text,
  profile jsonb,
  result_at timestamp with time zone,
  told_at timestamp with time zone,
  tell_attempts integer default 0 not null,
  tell_error text,
  created_at timestamp with time zone default now() not null,
  constraint ocpi_commands_pkey PRIMARY KEY (id),
  constraint ocpi_commands_uuid_key UNIQUE (uuid),
  constraint ocpi_commands_answer_check CHECK ((answer = ANY (ARRAY['ACCEPTED'::text, 'NOT_SUPPORTED'::text, 'REJECTED'::text, 'UNKNOWN_SESSION'::text, 'TOO_OFTEN'::text]))),
  constraint ocpi_commands_command_id_check CHECK (((length(command_id) >= 1) AND (length(command_id) <= 64))),
  constraint ocpi_commands_response_url_check CHECK ((length(response_url) <= 255)),
  constraint ocpi_commands_type_check CHECK ((type = ANY (ARRAY['START_SESSION'::text, 'STOP_SESSION'::text, 'RESERVE_NOW'::text, 'CANCEL_RESERVATION'::text, 'UNLOCK_CONNECTOR'::text, 'GET_PROFILE'::text, 'SET_PROFILE'::text, 'CLEAR_PROFILE'::text])))
);

create table ocpi_delivered_cdrs (
  cdr_id bigint not null,
  delivered_at timestamp with time zone default now() not null,
  constraint ocpi_delivered_cdrs_pkey PRIMARY KEY (cdr_id)
);

create table ocpi_handshakes (
  partner_id integer not null,
  state text not null,
  versions_url text not null,
  sealing_key text not null,
  their_token bytea,
  our_token bytea,
  our_token_hash bytea,
  ocpi_version text,
  endpoints jsonb,
  answer bytea,
  attempts integer default 0 not null,
  claim uuid,
  claimed_until timestamp with time zone,
  failed_step text,
  error_code text,
  error text,
  failed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  our_token_at timestamp with time zone,
  constraint ocpi_handshakes_pkey PRIMARY KEY (partner_id),
  constraint ocpi_handshakes_our_token_hash_key UNIQUE (our_token_hash),
  constraint ocpi_handshakes_ocpi_version_check CHECK ((ocpi_version = ANY (ARRAY['2.1.1'::text, '2.2'::text, '2.2.1'::text, '2.3.0'::text]))),
  constraint ocpi_handshakes_state_check CHECK ((state = ANY (ARRAY['PREPARED'::text, 'EXCHANGING'::text, 'ANSWERED'::text, 'RENEWING'::text])))
);

create table ocpi_hub_client_pulls (
  partner_id integer constraint ocpi_token_pulls_partner_id_not_null not null,
  registered_at timestamp with time zone,
  read_until timestamp with time zone,
  next_at timestamp with time zone default now() constraint ocpi_token_pulls_next_at_not_null not null,
  attempts integer default 0 constraint ocpi_token_pulls_attempts_not_null not null,
  last_error text,
  next_page text,
  pages integer default 0 constraint ocpi_token_pulls_pages_not_null not null,
  began_at timestamp with time zone,
  constraint ocpi_hub_client_pulls_pkey PRIMARY KEY (partner_id)
);

create table ocpi_hub_clients (
  id integer generated always as identity not null,
  partner_id integer not null,
  country_code character(2) not null,
  party_id character(3) not null,
  role text not null,
  status text not null,
  last_updated timestamp with time zone not null,
  constraint ocpi_hub_clients_pkey PRIMARY KEY (id),
  constraint ocpi_hub_clients_key UNIQUE (partner_id, country_code, party_id, role),
  constraint ocpi_hub_clients_country_code_check CHECK (((country_code)::text = upper((country_code)::text))),
  constraint ocpi_hub_clients_party_id_check CHECK (((party_id)::text = upper((party_id)::text))),
  constraint ocpi_hub_clients_role_check CHECK (((length(role) >= 1) AND (length(role) <= 20))),
  constraint ocpi_hub_clients_status_check CHECK ((status = ANY (ARRAY['CONNECTED'::text, 'OFFLINE'::text, 'PLANNED'::text, 'SUSPENDED'::text])))
);

create table ocpi_partner_endpoints (
  partner_id integer not null,
  identifier text not null,
  role text not null,
  url text not null,
  constraint ocpi_partner_endpoints_pkey PRIMARY KEY (partner_id, identifier, role),
  constraint ocpi_partner_endpoints_role_check CHECK ((role = ANY (ARRAY['SENDER'::text, 'RECEIVER'::text])))
);

create table ocpi_partner_parties (
  network_id integer not null,
  country_code character(2) not null,
  party_id character(3) not null,
  partner_id integer not null,
  constraint ocpi_partner_parties_key PRIMARY KEY (network_id, country_code, party_id),
  constraint ocpi_partner_parties_country_code_check CHECK (((country_code)::text = upper((country_code)::text))),
  constraint ocpi_partner_parties_party_id_check CHECK (((party_id)::text = upper((party_id)::text)))
);

create table ocpi_partners (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  name text not null,
  status text default 'PENDING'::text not null,
  country_code character(2),
  party_id character(3),
  roles jsonb default '[]'::jsonb not null,
  ocpi_version text,
  versions_url text,
  token_hash bytea,
  their_token text,
  write_scopes text[] default '{}'::text[] not null,
  quirks jsonb default '{}'::jsonb not null,
  registered_at timestamp with time zone,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  rate_limit_per_hour integer,
  refused_at timestamp with time zone,
  refused_parties text[],
  changes_since timestamp with time zone,
  authorization_order integer,
  first_registered_at timestamp with time zone,
  hub_parties text,
  was_hub boolean default false not null,
  token_valid_days integer,
  token_expires_at timestamp with time zone,
  token_renewal_at timestamp with time zone,
  token_renewal_error text,
  is_national_access_point boolean default false not null,
  constraint ocpi_partners_pkey PRIMARY KEY (id),
  constraint ocpi_partners_uuid_key UNIQUE (uuid),
  constraint ocpi_partners_authorization_order_check CHECK ((authorization_order > 0)),
  constraint ocpi_partners_hub_parties_check CHECK ((hub_parties = ANY (ARRAY['LISTED'::text, 'ANY'::text]))),
  constraint ocpi_partners_ocpi_version_check CHECK ((ocpi_version = ANY (ARRAY['2.1.1'::text, '2.2'::text, '2.2.1'::text, '2.3.0'::text]))),
  constraint ocpi_partners_rate_limit_per_hour_check CHECK ((rate_limit_per_hour > 0)),
  constraint ocpi_partners_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'REGISTERED'::text, 'SUSPENDED'::text]))),
  constraint ocpi_partners_token_valid_days_check CHECK (((token_valid_days >= 1) AND (token_valid_days <= 3650)))
);

create table ocpi_profiles (
  session_id bigint not null,
  profile_id integer not null,
  is_accepted boolean default false not null,
  changed_at timestamp with time zone,
  pushed_at timestamp with time zone,
  constraint ocpi_profiles_pkey PRIMARY KEY (session_id)
);

create table ocpi_push_lanes (
  partner_id integer not null,
  failures integer default 0 not null,
  open_until timestamp with time zone,
  opened integer default 0 not null,
  budget double precision,
  refilled_at timestamp with time zone default now() not null,
  sent bigint default 0 not null,
  failed bigint default 0 not null,
  last_sent_at timestamp with time zone,
  last_failed_at timestamp with time zone,
  last_error text,
  unreachable_since timestamp with time zone,
  constraint ocpi_push_lanes_pkey PRIMARY KEY (partner_id)
);

create table ocpi_pushes (
  id bigint generated always as identity not null,
  partner_id integer not null,
  object text not null,
  object_id bigint not null,
  is_whole boolean not null,
  revision integer default 1 not null,
  changed_at timestamp with time zone not null,
  due_at timestamp with time zone default now() not null,
  attempts integer default 0 not null,
  claimed_until timestamp with time zone,
  last_error text,
  is_deferred boolean default false not null,
  set_aside_at timestamp with time zone,
  constraint ocpi_pushes_pkey PRIMARY KEY (id),
  constraint ocpi_pushes_partner_id_object_object_id_key UNIQUE (partner_id, object, object_id),
  constraint ocpi_pushes_object_check CHECK ((object = ANY (ARRAY['tariff'::text, 'location'::text, 'evse'::text, 'session'::text, 'cdr'::text])))
);

create table ocpi_token_pulls (
  partner_id integer constraint ocpi_token_pulls_partner_id_not_null not null,
  registered_at timestamp with time zone,
  read_until timestamp with time zone,
  next_at timestamp with time zone default now() constraint ocpi_token_pulls_next_at_not_null not null,
  attempts integer default 0 constraint ocpi_token_pulls_attempts_not_null not null,
  last_error text,
  next_page text,
  pages integer default 0 constraint ocpi_token_pulls_pages_not_null not null,
  began_at timestamp with time zone,
  constraint ocpi_token_pulls_pkey PRIMARY KEY (partner_id)
);

create table ocpi_tokens (
  id bigint generated always as identity not null,
  partner_id integer not null,
  country_code character(2) not null,
  party_id character(3) not null,
  uid text not null,
  type text not null,
  contract_id text not null,
  visual_number text,
  issuer text not null,
  group_id text,
  is_valid boolean not null,
  whitelist text not null,
  language text,
  default_profile_type text,
  energy_contract jsonb,
  last_updated timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  chosen_at timestamp with time zone,
  constraint ocpi_tokens_pkey PRIMARY KEY (id),
  constraint ocpi_tokens_type_check CHECK ((type = ANY (ARRAY['RFID'::text, 'APP_USER'::text, 'AD_HOC_USER'::text, 'OTHER'::text, 'EMAID'::text]))),
  constraint ocpi_tokens_uid_check CHECK (((length(uid) >= 1) AND (length(uid) <= 36))),
  constraint ocpi_tokens_whitelist_check CHECK ((whitelist = ANY (ARRAY['ALWAYS'::text, 'ALLOWED'::text, 'ALLOWED_OFFLINE'::text, 'NEVER'::text])))
);

create table ocpi_unknown_tokens (
  network_id integer not null,
  uid text not null,
  partner_id integer,
  charger_id integer,
  status text not null,
  expires_at timestamp with time zone not null,
  constraint ocpi_unknown_tokens_pkey PRIMARY KEY (network_id, uid)
);

create table ocpi_withdrawn_evses (
  location_id integer not null,
  evse_id integer not null,
  withdrawn_at timestamp with time zone default clock_timestamp() not null,
  constraint ocpi_withdrawn_evses_pkey PRIMARY KEY (location_id, evse_id)
);

create table ocpi_withdrawn_locations (
  location_id integer not null,
  withdrawn_at timestamp with time zone default clock_timestamp() not null,
  constraint ocpi_withdrawn_locations_pkey PRIMARY KEY (location_id)
);

create table open_data_feeds (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  format text not null,
  location_ids integer[],
  is_enabled boolean not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint open_data_feeds_pkey PRIMARY KEY (id),
  constraint open_data_feeds_network_id_format_key UNIQUE (network_id, format),
  constraint open_data_feeds_uuid_key UNIQUE (uuid),
  constraint open_data_feeds_format_check CHECK ((format = ANY (ARRAY['geojson'::text, 'summary'::text, 'irve-static'::text, 'irve-dynamic'::text, 'datex-table'::text, 'datex-status'::text])))
);

create table operator_networks (
  operator_id integer not null,
  network_id integer not null,
  constraint operator_networks_pkey PRIMARY KEY (operator_id, network_id)
);

create table operator_password_resets (
  token_hash bytea not null,
  operator_id integer,
  email text,
  language text,
  expires_at timestamp with time zone not null,
  constraint operator_password_resets_pkey PRIMARY KEY (token_hash)
);

create table operator_refresh_tokens (
  token_hash bytea not null,
  session_id uuid not null,
  used_at timestamp with time zone,
  constraint operator_refresh_tokens_pkey PRIMARY KEY (token_hash)
);

create table operator_sessions (
  id uuid default gen_random_uuid() not null,
  operator_id integer not null,
  ip_address inet,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint operator_sessions_pkey PRIMARY KEY (id)
);

create table operators (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  email text,
  name text not null,
  password_hash text,
  issuer text,
  subject text,
  role text not null,
  unrestricted boolean default false not null,
  is_disabled boolean default false not null,
  last_login_at timestamp with time zone,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  custom_role_id integer,
  constraint operators_pkey PRIMARY KEY (id),
  constraint operators_uuid_key UNIQUE (uuid),
  constraint operators_check CHECK (((issuer IS NULL) = (subject IS NULL))),
  constraint operators_check1 CHECK (((issuer IS NULL) = (password_hash IS NOT NULL))),
  constraint operators_check2 CHECK (((issuer IS NOT NULL) OR (email IS NOT NULL))),
  constraint operators_email_check CHECK ((length(email) <= 254)),
  constraint operators_role_check CHECK ((((role = 'Custom'::text) = (custom_role_id IS NOT NULL)) AND (role = ANY (ARRAY['Owner'::text, 'Admin'::text, 'Manager'::text, 'Technician'::text, 'Support'::text, 'Finance'::text, 'Viewer'::text, 'Custom'::text]))))
);

create table outbox (
  id bigint generated always as identity not null,
  "position" bigint,
  network_id integer,
  type text not null,
  subject_id bigint not null,
  data jsonb default '{}'::jsonb not null,
  occurred_at timestamp with time zone default clock_timestamp() not null,
  subject_uuid uuid,
  charger_id integer,
  internal jsonb default '{}'::jsonb not null
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=10000);

create table outbox_readers (
  name text not null,
  "position" bigint default 0 not null,
  constraint outbox_readers_pkey PRIMARY KEY (name)
);

create table outbox_retention (
  removed_up_to bigint not null
);

create table payment_events (
  provider text not null,
  event_id text not null,
  received_at timestamp with time zone default now() not null,
  constraint payment_events_pkey PRIMARY KEY (provider, event_id)
);

create table periodic_runs (
  name text not null,
  due_at timestamp with time zone not null,
  succeeded_at timestamp with time zone default now() not null,
  constraint periodic_runs_pkey PRIMARY KEY (name)
);

create table queued_jobs (
  id uuid default gen_random_uuid() not null,
  name text not null,
  payload jsonb not null,
  due_at timestamp with time zone default now() not null,
  attempts integer default 0 not null,
  constraint queued_jobs_pkey PRIMARY KEY (id)
);

create table reading_receipts (
  charger_id integer not null,
  identity uuid not null,
  received_at timestamp with time zone not null,
  constraint reading_receipts_pkey PRIMARY KEY (charger_id, identity)
);

create table receipt_counters (
  network_id integer not null,
  year integer not null,
  last_number integer not null,
  constraint receipt_counters_pkey PRIMARY KEY (network_id, year),
  constraint receipt_counters_last_number_check CHECK ((last_number > 0))
);

create table receipts (
  id bigint generated always as identity not null,
  network_id integer not null,
  session_id bigint not null,
  session_version integer not null,
  number text not null,
  issued_at timestamp with time zone not null,
  constraint receipts_pkey PRIMARY KEY (id),
  constraint receipts_network_id_number_key UNIQUE (network_id, number),
  constraint receipts_session_id_session_version_key UNIQUE (session_id, session_version)
);

create table recovery_codes (
  operator_id integer not null,
  code_hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (operator_id, code_hash)
);

create table rejected_connections (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  identity text not null,
  reason text not null,
  charger_id integer,
  remote_address text not null,
  attempts bigint not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  constraint rejected_connections_pkey PRIMARY KEY (id),
  constraint rejected_connections_identity_reason_key UNIQUE (identity, reason),
  constraint rejected_connections_uuid_key UNIQUE (uuid)
);

create table remote_starts (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  charger_id integer not null,
  id_token text not null,
  evse integer,
  remote_start_id integer,
  status text default 'pending'::text not null,
  session_id bigint,
  requested_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  connector_id integer,
  user_id integer,
  max_cost_minor bigint,
  max_duration_s integer,
  max_energy_wh double precision,
  constraint remote_starts_pkey PRIMARY KEY (id),
  constraint remote_starts_uuid_key UNIQUE (uuid),
  constraint remote_starts_check CHECK (((status = 'started'::text) = (session_id IS NOT NULL))),
  constraint remote_starts_max_cost_minor_check CHECK ((max_cost_minor > 0)),
  constraint remote_starts_max_duration_s_check CHECK ((max_duration_s > 0)),
  constraint remote_starts_max_energy_wh_check CHECK ((max_energy_wh > (0)::double precision)),
  constraint remote_starts_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'started'::text, 'expired'::text, 'refused'::text])))
);

create table replica_beats (
  process_id uuid not null,
  beat uuid not null,
  beaten_at timestamp with time zone default now() not null,
  constraint replica_beats_pkey PRIMARY KEY (process_id)
);

create table reservations (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  charger_id integer not null,
  reservation_id integer not null,
  evse integer,
  connector integer,
  id_token text not null,
  group_id_token text,
  expires_at timestamp with time zone not null,
  status text default 'Active'::text not null,
  status_at timestamp with time zone default now() not null,
  created_at timestamp with time zone default now() not null,
  session_id bigint,
  billed_session_id bigint,
  is_open boolean default false not null,
  constraint reservations_pkey PRIMARY KEY (id),
  constraint reservations_charger_id_reservation_id_key UNIQUE (charger_id, reservation_id),
  constraint reservations_uuid_key UNIQUE (uuid),
  constraint reservations_status_check CHECK ((status = ANY (ARRAY['Active'::text, 'Cancelled'::text, 'Expired'::text, 'Removed'::text, 'Used'::text])))
);

create table saved_views (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer,
  owner_key_id integer,
  owner_operator_id integer,
  owner_name text,
  name text not null,
  page text not null,
  query jsonb not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint saved_views_pkey PRIMARY KEY (id),
  constraint saved_views_uuid_key UNIQUE (uuid),
  constraint saved_views_check CHECK (((owner_key_id IS NULL) <> (owner_operator_id IS NULL))),
  constraint saved_views_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);

create table scheduled_charges (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  user_id integer not null,
  charger_id integer not null,
  connector_id integer not null,
  id_token_id integer not null,
  limits jsonb not null,
  start_at timestamp with time zone not null,
  window_ends_at timestamp with time zone not null,
  status text default 'scheduled'::text not null,
  remote_start_id bigint,
  error_code text,
  error_message text,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint scheduled_charges_pkey PRIMARY KEY (id),
  constraint scheduled_charges_uuid_key UNIQUE (uuid),
  constraint scheduled_charges_check CHECK ((window_ends_at > start_at)),
  constraint scheduled_charges_check1 CHECK (((status = ANY (ARRAY['started'::text, 'failed'::text, 'cancelled'::text])) = (ended_at IS NOT NULL))),
  constraint scheduled_charges_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'starting'::text, 'started'::text, 'failed'::text, 'cancelled'::text])))
);

create table second_factors (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  operator_id integer not null,
  kind text not null,
  state text default 'pending'::text not null,
  name text not null,
  sealed_secret bytea,
  sealing_key text,
  last_step bigint,
  challenge text,
  credential_id text,
  public_key bytea,
  sign_count bigint,
  transports text[],
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  constraint second_factors_pkey PRIMARY KEY (id),
  constraint second_factors_credential_id_key UNIQUE (credential_id),
  constraint second_factors_uuid_key UNIQUE (uuid),
  constraint second_factors_check CHECK ((((kind = 'totp'::text) = (sealed_secret IS NOT NULL)) AND ((sealed_secret IS NULL) = (sealing_key IS NULL)))),
  constraint second_factors_check1 CHECK (((kind = 'totp'::text) OR ((state = 'active'::text) = ((credential_id IS NOT NULL) AND (public_key IS NOT NULL))))),
  constraint second_factors_kind_check CHECK ((kind = ANY (ARRAY['totp'::text, 'passkey'::text]))),
  constraint second_factors_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'active'::text])))
);

create table security_events (
  id bigint generated always as identity not null,
  charger_id integer not null,
  type text not null,
  tech_info text,
  occurred_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  time_flag text,
  constraint security_events_pkey PRIMARY KEY (id)
);

create table session_revisions (
  id bigint generated always as identity not null,
  session_id bigint not null,
  version integer not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  energy_wh double precision not null,
  meter_start_wh double precision,
  meter_stop_wh double precision,
  stop_reason text,
  cost_minor bigint,
  cost jsonb,
  flags text[] not null,
  replaced_at timestamp with time zone default now() not null,
  reason text,
  replaced_by text,
  constraint session_revisions_pkey PRIMARY KEY (id),
  constraint session_revisions_session_id_version_key UNIQUE (session_id, version)
);

create table sessions (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  charger_id integer not null,
  connector_id integer not null,
  user_id integer,
  id_token_id integer,
  id_token text,
  ocpp_transaction_id text not null,
  start_key text not null,
  status text not null,
  authorization_status text not null,
  remote_start_id integer,
  started_at timestamp with time zone not null,
  start_received_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  stop_received_at timestamp with time zone,
  meter_start_wh double precision,
  meter_stop_wh double precision,
  energy_wh double precision default 0 not null,
  power_w double precision,
  soc_percent double precision,
  live_at timestamp with time zone,
  stop_reason text,
  tariff_id integer,
  tariff jsonb,
  cost_minor bigint,
  cost jsonb,
  currency character(3) not null,
  flags text[] default '{}'::text[] not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  max_cost_minor bigint,
  max_duration_s integer,
  max_energy_wh double precision,
  limit_passed text,
  stop_attempts integer default 0 not null,
  stop_next_at timestamp with time zone,
  peak_power_w double precision,
  register_count jsonb,
  has_charged boolean default false not null,
  charging_ended_at timestamp with time zone,
  idle_started_at timestamp with time zone,
  idle_cause text,
  idle_periods jsonb default '[]'::jsonb not null,
  no_power_since timestamp with time zone,
  activity_at timestamp with time zone,
  free_since timestamp with time zone,
  version integer default 1 not null,
  invoice_number text,
  ocpi_partner_id integer,
  ocpi_token jsonb,
  auth_method text,
  authorization_reference text,
  meter_id text,
  ocpi_patched_at timestamp with time zone,
  charging_preferences jsonb,
  price_state text default 'OPEN'::text not null,
  plausible_cost_minor bigint,
  billing text generated always as (
CASE
    WHEN (invoice_number IS NOT NULL) THEN 'INVOICED'::text
    WHEN (price_state = 'REVIEW'::text) THEN 'REVIEW'::text
    WHEN (cost IS NOT NULL) THEN 'OPEN'::text
    WHEN (tariff IS NOT NULL) THEN 'PENDING'::text
    ELSE 'UNPRICED'::text
END) stored not null,
  price_readings text default 'COMPLETE'::text not null,
  price_decision text,
  signature_state text default 'NONE'::text not null,
  signed_energy_wh double precision,
  reserved_at timestamp with time zone,
  reservation_end text,
  meter jsonb,
  partner_statement jsonb,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_charger_id_ocpp_transaction_id_key UNIQUE (charger_id, ocpp_transaction_id),
  constraint sessions_charger_id_start_key_key UNIQUE (charger_id, start_key),
  constraint sessions_uuid_key UNIQUE (uuid),
  constraint sessions_auth_method_check CHECK ((auth_method = ANY (ARRAY['AUTH_REQUEST'::text, 'COMMAND'::text, 'WHITELIST'::text]))),
  constraint sessions_check CHECK (((ocpi_partner_id IS NULL) OR ((ocpi_token IS NOT NULL) AND (auth_method IS NOT NULL)))),
  constraint sessions_cost_minor_check CHECK ((cost_minor >= 0)),
  constraint sessions_energy_wh_check CHECK ((energy_wh >= (0)::double precision)),
  constraint sessions_limit_passed_check CHECK ((limit_passed = ANY (ARRAY['MaxCost'::text, 'MaxDuration'::text, 'MaxEnergy'::text, 'WalletBalance'::text]))),
  constraint sessions_max_cost_minor_check CHECK ((max_cost_minor > 0)),
  constraint sessions_max_duration_s_check CHECK ((max_duration_s > 0)),
  constraint sessions_max_energy_wh_check CHECK ((max_energy_wh > (0)::double precision)),
  constraint sessions_plausible_cost_minor_check CHECK ((plausible_cost_minor >= 0)),
  constraint sessions_price_decision_check CHECK ((price_decision = ANY (ARRAY['APPROVED'::text, 'AMENDED'::text]))),
  constraint sessions_price_flags_check CHECK ((((flags @> '{cost-pending}'::text[]) = (price_state = 'PENDING'::text)) AND ((flags @> '{readings-missing}'::text[]) = (price_readings = ANY (ARRAY['MISSING'::text, 'MISSING_LATE'::text]))) AND ((flags @> '{readings-late}'::text[]) = (price_readings = ANY (ARRAY['LATE'::text, 'MISSING_LATE'::text]))) AND ((flags @> '{corrected}'::text[]) = (NOT (price_decision IS DISTINCT FROM 'AMENDED'::text))))),
  constraint sessions_price_parts_check CHECK ((((price_readings = ANY (ARRAY['COMPLETE'::text, 'MISSING'::text])) OR ((price_state = ANY (ARRAY['REVIEW'::text, 'SETTLED'::text])) AND (price_decision IS NULL))) AND ((price_decision IS NULL) OR (price_state = ANY (ARRAY['UNPRICED'::text, 'SETTLED'::text])) OR ((price_decision = 'AMENDED'::text) AND (price_state = 'PENDING'::text))) AND ((price_state <> 'OPEN'::text) OR (price_readings = 'COMPLETE'::text)))),
  constraint sessions_price_readings_check CHECK ((price_readings = ANY (ARRAY['COMPLETE'::text, 'MISSING'::text, 'LATE'::text, 'MISSING_LATE'::text]))),
  constraint sessions_price_state_check CHECK ((price_state = ANY (ARRAY['OPEN'::text, 'PENDING'::text, 'UNPRICED'::text, 'REVIEW'::text, 'SETTLED'::text]))),
  constraint sessions_reservation_check CHECK ((((reservation_end IS NULL) OR ((reserved_at IS NOT NULL) AND (reservation_end = ANY (ARRAY['USED'::text, 'USED_ELSEWHERE'::text, 'CANCELLED'::text, 'EXPIRED'::text])))) AND ((status <> 'RESERVATION'::text) OR (reserved_at IS NOT NULL)))),
  constraint sessions_status_check CHECK ((status = ANY (ARRAY['RESERVATION'::text, 'ACTIVE'::text, 'STOPPING'::text, 'COMPLETED'::text, 'INVALID'::text])))
) with (fillfactor=80);

create table shown_costs (
  session_id bigint not null,
  total_minor bigint,
  claimed_at timestamp with time zone not null,
  constraint shown_costs_pkey PRIMARY KEY (session_id)
);

create table signature_rechecks (
  charger_id integer not null,
  before_at timestamp with time zone default 'infinity'::timestamp with time zone not null,
  before_id bigint default '9223372036854775807'::bigint not null,
  requested_at timestamp with time zone default clock_timestamp() not null,
  claimed_until timestamp with time zone,
  constraint signature_rechecks_pkey PRIMARY KEY (charger_id)
);

create table signed_meter_values (
  id bigint generated always as identity not null,
  session_id bigint not null,
  nature text not null,
  measured_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  format text not null,
  data text not null,
  encoding_method text,
  signing_method text,
  claimed_key text,
  state text not null,
  meter_key_id bigint,
  start_wh double precision,
  end_wh double precision,
  start_at timestamp with time zone,
  end_at timestamp with time zone,
  register text,
  page bigint,
  constraint signed_meter_values_pkey PRIMARY KEY (id),
  constraint signed_meter_values_check CHECK (((meter_key_id IS NOT NULL) = (state = 'VERIFIED'::text))),
  constraint signed_meter_values_nature_check CHECK ((nature = ANY (ARRAY['START'::text, 'INTERMEDIATE'::text, 'END'::text]))),
  constraint signed_meter_values_state_check CHECK ((state = ANY (ARRAY['UNVERIFIED'::text, 'VERIFIED'::text, 'INVALID'::text, 'UNSUPPORTED'::text])))
);

create table station_tariffs (
  charger_id integer not null,
  evse integer not null,
  tariff_id text not null,
  status text not null,
  reason text,
  sent_at timestamp with time zone not null,
  constraint station_tariffs_pkey PRIMARY KEY (charger_id, evse)
);

create table station_transactions (
  session_id bigint not null,
  limits_sent jsonb,
  limits_sent_at timestamp with time zone,
  limits_reported jsonb,
  limits_reported_at timestamp with time zone,
  limit_reached text,
  limit_reached_at timestamp with time zone,
  tariff_id text,
  cost jsonb,
  cost_at timestamp with time zone,
  priority_charging boolean,
  priority_charging_at timestamp with time zone,
  constraint station_transactions_pkey PRIMARY KEY (session_id)
);

create table tariff_assignments (
  id integer generated always as identity not null,
  tariff_id integer not null,
  network_id integer,
  location_id integer,
  charger_id integer,
  connector_id integer,
  is_active boolean default true not null,
  created_at timestamp with time zone default now() not null,
  uuid uuid default gen_random_uuid() not null,
  valid_from timestamp with time zone default '-infinity'::timestamp with time zone not null,
  valid_until timestamp with time zone,
  was_cut boolean default false not null,
  withdrawn_at timestamp with time zone,
  changed_at timestamp with time zone,
  constraint tariff_assignments_pkey PRIMARY KEY (id),
  constraint tariff_assignments_uuid_key UNIQUE (uuid),
  constraint tariff_assignments_charger_once EXCLUDE USING gist (int4range(charger_id, charger_id, '[]'::text) WITH &&, tstzrange(valid_from, valid_until) WITH &&) WHERE ((is_active AND (charger_id IS NOT NULL))),
  constraint tariff_assignments_connector_once EXCLUDE USING gist (int4range(connector_id, connector_id, '[]'::text) WITH &&, tstzrange(valid_from, valid_until) WITH &&) WHERE ((is_active AND (connector_id IS NOT NULL))),
  constraint tariff_assignments_location_once EXCLUDE USING gist (int4range(location_id, location_id, '[]'::text) WITH &&, tstzrange(valid_from, valid_until) WITH &&) WHERE ((is_active AND (location_id IS NOT NULL))),
  constraint tariff_assignments_network_once EXCLUDE USING gist (int4range(network_id, network_id, '[]'::text) WITH &&, tstzrange(valid_from, valid_until) WITH &&) WHERE ((is_active AND (network_id IS NOT NULL))),
  constraint tariff_assignments_check CHECK ((num_nonnulls(network_id, location_id, charger_id, connector_id) = 1)),
  constraint tariff_assignments_check1 CHECK ((valid_until > valid_from))
);

create table tariff_versions (
  tariff_id integer not null,
  version integer not null,
  document jsonb not null,
  valid_until timestamp with time zone default now() not null,
  constraint tariff_versions_pkey PRIMARY KEY (tariff_id, version)
);

create table tariffs (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  name text not null,
  currency character(3) not null,
  elements jsonb not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  idle jsonb,
  version integer default 1 not null,
  type text,
  min_price jsonb,
  max_price jsonb,
  alt_text jsonb default '[]'::jsonb not null,
  alt_url text,
  energy_mix jsonb,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  constraint tariffs_pkey PRIMARY KEY (id),
  constraint tariffs_uuid_key UNIQUE (uuid),
  constraint tariffs_type_check CHECK ((type = ANY (ARRAY['AD_HOC_PAYMENT'::text, 'PROFILE_CHEAP'::text, 'PROFILE_FAST'::text, 'PROFILE_GREEN'::text, 'REGULAR'::text])))
);

create table token_notices (
  charger_id integer not null,
  attempts integer default 0 not null,
  next_at timestamp with time zone not null,
  constraint token_notices_pkey PRIMARY KEY (charger_id)
);

create table token_signing_keys (
  kid uuid default gen_random_uuid() not null,
  secret bytea not null,
  created_at timestamp with time zone default now() not null,
  sealing_key text,
  constraint token_signing_keys_pkey PRIMARY KEY (kid)
);

create table trusted_certificates (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  pem text not null,
  subject text not null,
  valid_from timestamp with time zone not null,
  valid_to timestamp with time zone not null,
  fingerprint256 text not null,
  created_at timestamp with time zone default now() not null,
  constraint trusted_certificates_pkey PRIMARY KEY (id),
  constraint trusted_certificates_once UNIQUE (network_id, fingerprint256),
  constraint trusted_certificates_uuid_key UNIQUE (uuid)
);

create table unmatched_stops (
  id bigint generated always as identity not null,
  charger_id integer not null,
  ocpp_transaction_id text not null,
  stop jsonb not null,
  received_at timestamp with time zone not null,
  constraint unmatched_stops_pkey PRIMARY KEY (id)
);

create table users (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  email text not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  version integer default 1 not null,
  phone text,
  language text,
  external_id text,
  search_text text generated always as (lower(((((email || ' '::text) || name) || COALESCE((' '::text || phone), ''::text)) || COALESCE((' '::text || external_id), ''::text)))) stored not null,
  is_blocked boolean default false not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_uuid_key UNIQUE (uuid)
);

create table variable_monitors (
  charger_id integer not null,
  monitor_id integer not null,
  component text not null,
  component_instance text not null,
  evse integer not null,
  connector integer not null,
  variable text not null,
  variable_instance text not null,
  type text not null,
  value double precision not null,
  severity integer not null,
  transaction_only boolean not null,
  reported_at timestamp with time zone not null,
  notification_type text,
  constraint variable_monitors_pkey PRIMARY KEY (charger_id, monitor_id)
);

create table waiting_log_rows (
  id bigint generated always as identity not null,
  table_name text not null,
  columns text[] not null,
  lines text not null,
  constraint waiting_log_rows_pkey PRIMARY KEY (id)
);

create table wallet_holds (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  wallet_id integer not null,
  amount_minor bigint not null,
  status text default 'held'::text not null,
  session_id bigint,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  closed_at timestamp with time zone,
  remote_start_id bigint,
  constraint wallet_holds_pkey PRIMARY KEY (id),
  constraint wallet_holds_session_id_key UNIQUE (session_id),
  constraint wallet_holds_uuid_key UNIQUE (uuid),
  constraint wallet_holds_amount_minor_check CHECK ((amount_minor > 0)),
  constraint wallet_holds_status_check CHECK ((status = ANY (ARRAY['held'::text, 'captured'::text, 'released'::text])))
);

create table wallet_top_ups (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  wallet_id integer not null,
  amount_minor bigint not null,
  provider text not null,
  provider_reference text,
  status text default 'PENDING'::text not null,
  refunded_minor bigint default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  mismatched_at timestamp with time zone,
  mismatched_minor bigint,
  mismatched_currency text,
  constraint wallet_top_ups_pkey PRIMARY KEY (id),
  constraint wallet_top_ups_provider_provider_reference_key UNIQUE (provider, provider_reference),
  constraint wallet_top_ups_uuid_key UNIQUE (uuid),
  constraint wallet_top_ups_amount_minor_check CHECK ((amount_minor > 0)),
  constraint wallet_top_ups_refunded_minor_check CHECK ((refunded_minor >= 0)),
  constraint wallet_top_ups_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'PAID'::text, 'CANCELLED'::text])))
);

create table wallets (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  user_id integer not null,
  network_id integer not null,
  currency character(3) not null,
  available_minor bigint default 0 constraint wallets_balance_minor_not_null not null,
  created_at timestamp with time zone default now() not null,
  held_minor bigint default 0 not null,
  owed_minor bigint default 0 not null,
  updated_at timestamp with time zone default now() not null,
  constraint wallets_pkey PRIMARY KEY (id),
  constraint wallets_user_id_network_id_currency_key UNIQUE (user_id, network_id, currency),
  constraint wallets_uuid_key UNIQUE (uuid),
  constraint wallets_balance_minor_check CHECK ((available_minor >= 0)),
  constraint wallets_held_minor_check CHECK ((held_minor >= 0)),
  constraint wallets_owed_minor_check CHECK ((owed_minor >= 0))
);

create table webhook_dead_letters (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  endpoint_id integer not null,
  reason text not null,
  after_position bigint not null,
  "position" bigint not null,
  event_id bigint,
  type text,
  body text,
  tries integer default 0 not null,
  last_error text,
  created_at timestamp with time zone default now() not null,
  constraint webhook_dead_letters_pkey PRIMARY KEY (id),
  constraint webhook_dead_letters_uuid_key UNIQUE (uuid),
  constraint webhook_dead_letters_check CHECK (((reason = 'lost'::text) = (body IS NULL))),
  constraint webhook_dead_letters_reason_check CHECK ((reason = ANY (ARRAY['refused'::text, 'expired'::text, 'unreachable'::text, 'lost'::text])))
);

create table webhook_endpoints (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  network_id integer not null,
  url text not null,
  description text,
  types text[] default '{}'::text[] not null,
  charger_uuid uuid,
  location_uuid uuid,
  delivery_order text default 'object'::text not null,
  is_enabled boolean default true not null,
  disabled_reason text,
  owner_key_id integer,
  owner_operator_id integer,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_uuid_key UNIQUE (uuid),
  constraint webhook_endpoints_check CHECK ((is_enabled = (disabled_reason IS NULL))),
  constraint webhook_endpoints_delivery_order_check CHECK ((delivery_order = ANY (ARRAY['object'::text, 'endpoint'::text]))),
  constraint webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['operator'::text, 'gone'::text, 'unreachable'::text])))
);

create table webhook_lanes (
  endpoint_id integer not null,
  "position" bigint not null,
  leased_by uuid,
  leased_until timestamp with time zone,
  failures integer default 0 not null,
  opened integer default 0 not null,
  open_until timestamp with time zone,
  down_since timestamp with time zone,
  delivered bigint default 0 not null,
  failed bigint default 0 not null,
  last_delivered_at timestamp with time zone,
  last_failed_at timestamp with time zone,
  last_error text,
  constraint webhook_lanes_pkey PRIMARY KEY (endpoint_id)
);

create table webhook_retries (
  id bigint generated always as identity not null,
  endpoint_id integer not null,
  lane_key text not null,
  "position" bigint not null,
  event_id bigint not null,
  type text not null,
  body text not null,
  tries integer default 0 not null,
  due_at timestamp with time zone default now() not null,
  last_error text,
  created_at timestamp with time zone default now() not null,
  constraint webhook_retries_pkey PRIMARY KEY (id),
  constraint webhook_retries_endpoint_id_lane_key_position_key UNIQUE (endpoint_id, lane_key, "position")
);

create table webhook_secrets (
  id integer generated always as identity not null,
  endpoint_id integer not null,
  sealed bytea not null,
  sealing_key text not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint webhook_secrets_pkey PRIMARY KEY (id)
);

CREATE INDEX alert_channel_notices_of_channel ON alert_channel_notices USING btree (channel_id, id);

CREATE INDEX alert_channel_notices_waiting ON alert_channel_notices USING btree (channel_id, due_at) WHERE (state = 'waiting'::text);

CREATE INDEX alert_channels_network_id_id_idx ON alert_channels USING btree (network_id, id);

CREATE INDEX alert_mutes_network_id_until_idx ON alert_mutes USING btree (network_id, until);

CREATE INDEX alert_notices_due ON alert_notices USING btree (due_at) WHERE ((sent_at IS NULL) AND (dropped_at IS NULL));

CREATE INDEX alert_notices_sent ON alert_notices USING btree (recipient, sent_at) WHERE (sent_at IS NOT NULL);

CREATE UNIQUE INDEX alert_notifications_collecting ON alert_notifications USING btree (COALESCE(network_id, 0), kind, COALESCE(location_id, 0), is_flapping) WHERE (state = 'collecting'::text);

CREATE INDEX alert_notifications_created_at_idx ON alert_notifications USING btree (created_at);

CREATE INDEX alert_notifications_escalating ON alert_notifications USING btree (escalates_at) WHERE (escalates_at IS NOT NULL);

CREATE UNIQUE INDEX alert_rules_kind ON alert_rules USING btree (COALESCE(network_id, 0), kind);

CREATE INDEX alert_thresholds_network_id_id_idx ON alert_thresholds USING btree (network_id, id);

CREATE INDEX alerts_charger_id_id_idx ON alerts USING btree (charger_id, id DESC);

CREATE INDEX alerts_held ON alerts USING btree (id) WHERE ((delivery = ANY (ARRAY['muted'::text, 'flapping'::text])) AND (status <> 'resolved'::text));

CREATE INDEX alerts_kind_resource_id_subject_last_occurred_at_idx ON alerts USING btree (kind, resource_id, subject, last_occurred_at DESC);

CREATE INDEX alerts_network_id_id_idx ON alerts USING btree (network_id, id DESC);

CREATE INDEX alerts_of_notification ON alerts USING btree (notification_id) WHERE (notification_id IS NOT NULL);

CREATE INDEX alerts_pending ON alerts USING btree (id) WHERE (delivery = 'pending'::text);

CREATE INDEX alerts_to_clear ON alerts USING btree (id) WHERE ((delivery = 'notified'::text) AND (status = 'resolved'::text));

CREATE UNIQUE INDEX alerts_unresolved ON alerts USING btree (kind, resource_id, subject) WHERE (status <> 'resolved'::text);

CREATE INDEX api_key_networks_network_id_idx ON api_key_networks USING btree (network_id);

CREATE INDEX api_keys_created_by_key_id_idx ON api_keys USING btree (created_by_key_id) WHERE (created_by_key_id IS NOT NULL);

CREATE INDEX api_keys_created_by_operator_id_idx ON api_keys USING btree (created_by_operator_id) WHERE (created_by_operator_id IS NOT NULL);

CREATE INDEX api_keys_expiry ON api_keys USING btree (expires_at) WHERE ((revoked_at IS NULL) AND (deleted_at IS NULL));

CREATE INDEX audit_log_action_at_id_idx ON audit_log USING btree (action, at DESC, id DESC);

CREATE INDEX audit_log_at_id_idx ON audit_log USING btree (at DESC, id DESC);

CREATE INDEX audit_log_category_at_id_idx ON audit_log USING btree (category, at DESC, id DESC);

CREATE INDEX audit_log_network_id_at_id_idx ON audit_log USING btree (network_id, at DESC, id DESC);

CREATE INDEX audit_log_of_actor ON audit_log USING btree (user_id, at DESC, id DESC) WHERE (user_id IS NOT NULL);

CREATE INDEX audit_log_resource_id_at_id_idx ON audit_log USING btree (resource_id, at DESC, id DESC);

CREATE INDEX availability_exclusions_by_time ON availability_exclusions USING btree (network_id, ends_at);

CREATE INDEX browser_sessions_api_key_id_idx ON browser_sessions USING btree (api_key_id) WHERE (api_key_id IS NOT NULL);

CREATE INDEX browser_sessions_expires_at_idx ON browser_sessions USING btree (expires_at);

CREATE INDEX browser_sessions_operator_id_idx ON browser_sessions USING btree (operator_id) WHERE (operator_id IS NOT NULL);

CREATE INDEX bulk_job_items_by_outcome ON bulk_job_items USING btree (job_id, outcome, id);

CREATE INDEX bulk_job_items_running ON bulk_job_items USING btree (started_at) WHERE (outcome = 'running'::text);

CREATE INDEX bulk_jobs_unfinished ON bulk_jobs USING btree (id) WHERE (state = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text]));

CREATE INDEX cdrs_of_hub_client ON cdrs USING btree (partner_id, (((document -> 'cdr_token'::text) ->> 'country_code'::text)), (((document -> 'cdr_token'::text) ->> 'party_id'::text)), id);

CREATE INDEX cdrs_of_network ON cdrs USING btree (network_id, created_at, id);

CREATE INDEX cdrs_partner_id_created_at_id_idx ON cdrs USING btree (partner_id, created_at, id);

CREATE INDEX cdrs_partner_id_id_idx ON cdrs USING btree (partner_id, id);

CREATE INDEX cdrs_session_id_id_idx ON cdrs USING btree (session_id, id);

CREATE UNIQUE INDEX charger_certificates_charger_id_certificate_type_serial_num_idx ON charger_certificates USING btree (charger_id, certificate_type, serial_number, issuer_key_hash) WHERE (deleted_at IS NULL);

CREATE INDEX charger_certificates_expiry ON charger_certificates USING btree (valid_to) WHERE (deleted_at IS NULL);

CREATE INDEX charger_certificates_unread ON charger_certificates USING btree (id) WHERE ((valid_to IS NULL) AND (deleted_at IS NULL));

CREATE INDEX charger_models_lower_name ON charger_models USING btree (lower(model_name)) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX charger_models_name_key ON charger_models USING btree (manufacturer_id, lower(model_name)) WHERE (deleted_at IS NULL);

CREATE INDEX charger_notifications_charger_id_action_id_idx ON charger_notifications USING btree (charger_id, action, id DESC);

CREATE INDEX charger_notifications_charger_id_id_idx ON charger_notifications USING btree (charger_id, id DESC);

CREATE INDEX charger_notifications_received ON charger_notifications USING btree (received_at);

CREATE INDEX chargers_by_name ON chargers USING btree (network_id, lower(uid), id) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX chargers_certificate_cn_key ON chargers USING btree (certificate_cn) WHERE (deleted_at IS NULL);

CREATE INDEX chargers_location_id_idx ON chargers USING btree (location_id) WHERE (deleted_at IS NULL);

CREATE INDEX chargers_lower_serial_number ON chargers USING btree (lower(serial_number)) WHERE (deleted_at IS NULL);

CREATE INDEX chargers_lower_uid ON chargers USING btree (lower(uid)) WHERE (deleted_at IS NULL);

CREATE INDEX chargers_model_id_idx ON chargers USING btree (model_id) WHERE (deleted_at IS NULL);

CREATE INDEX chargers_network_id_id_idx ON chargers USING btree (network_id, id) WHERE (deleted_at IS NULL);

CREATE INDEX chargers_of_location ON chargers USING btree (location_id);

CREATE INDEX chargers_of_network ON chargers USING btree (network_id);

CREATE INDEX chargers_printed_id ON chargers USING btree (printed_id(evse_id)) WHERE (deleted_at IS NULL);

CREATE INDEX chargers_searched ON chargers USING gin ((((((uid || ' '::text) || serial_number) || ' '::text) || evse_id)) gin_trgm_ops) WHERE (deleted_at IS NULL);

CREATE INDEX chargers_serial_number ON chargers USING btree (serial_number) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX chargers_uid_key ON chargers USING btree (uid) WHERE (deleted_at IS NULL);

CREATE INDEX chargers_unreported ON chargers USING btree (id) WHERE ((ocpp_version = '2.1'::text) AND (deleted_at IS NULL) AND (last_boot_at IS DISTINCT FROM device_model_boot_at));

CREATE INDEX connectors_faulted ON connectors USING btree (charger_id) WHERE ((status = 'Faulted'::text) AND (deleted_at IS NULL));

CREATE UNIQUE INDEX connectors_number_key ON connectors USING btree (charger_id, number) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX connectors_ocpi_id_key ON connectors USING btree (charger_id, evse_number, lower(ocpi_id)) WHERE (deleted_at IS NULL);

CREATE INDEX connectors_of_charger ON connectors USING btree (charger_id);

CREATE UNIQUE INDEX connectors_position_key ON connectors USING btree (charger_id, evse_number, evse_connector) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX custom_roles_name_key ON custom_roles USING btree (COALESCE(network_id, 0), lower(name));

CREATE INDEX device_events_charger_id_occurred_at_idx ON device_events USING btree (charger_id, occurred_at DESC);

CREATE INDEX device_events_of_charger ON device_events USING btree (charger_id, occurred_at DESC, id DESC);

CREATE INDEX device_events_received ON device_events USING btree (received_at);

CREATE INDEX device_variables_charger_id_idx ON device_variables USING btree (charger_id) WHERE (lower(component) = 'tariffcostctrlr'::text);

CREATE UNIQUE INDEX device_variables_of_charger ON device_variables USING btree (charger_id, id);

CREATE INDEX device_variables_tx_ctrlr ON device_variables USING btree (charger_id) WHERE (lower(component) = 'txctrlr'::text);

CREATE INDEX driver_accounts_to_expire ON driver_accounts USING btree (created_at) WHERE (user_id IS NULL);

CREATE INDEX driver_accounts_unverified ON driver_accounts USING btree (network_id, lower(email)) WHERE (user_id IS NULL);

CREATE INDEX driver_mail_tokens_account_id_idx ON driver_mail_tokens USING btree (account_id) WHERE (account_id IS NOT NULL);

CREATE INDEX driver_mail_tokens_expires_at_idx ON driver_mail_tokens USING btree (expires_at);

CREATE INDEX driver_mail_tokens_user_id_idx ON driver_mail_tokens USING btree (user_id) WHERE (user_id IS NOT NULL);

CREATE INDEX driver_refresh_tokens_session_id_idx ON driver_refresh_tokens USING btree (session_id);

CREATE INDEX driver_sessions_account_id_idx ON driver_sessions USING btree (account_id);

CREATE INDEX driver_sessions_expires_at_idx ON driver_sessions USING btree (expires_at);

CREATE INDEX evses_printed_id ON evses USING btree (printed_id(evse_id)) WHERE (removed_at IS NULL);

CREATE UNIQUE INDEX evses_uid_key ON evses USING btree (network_id, lower(uid));

CREATE INDEX exports_created_at_id_idx ON exports USING btree (created_at DESC, id DESC);

CREATE INDEX exports_expiry ON exports USING btree (expires_at) WHERE (state = ANY (ARRAY['COMPLETED'::text, 'FAILED'::text]));

CREATE INDEX exports_network_ids_idx ON exports USING gin (network_ids);

CREATE INDEX exports_unfinished ON exports USING btree (id) WHERE (state = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text]));

CREATE UNIQUE INDEX firmware_images_version_key ON firmware_images USING btree (model_id, version) WHERE (deleted_at IS NULL);

CREATE INDEX firmware_update_statuses_charger_id_id_idx ON firmware_update_statuses USING btree (charger_id, id DESC);

CREATE INDEX firmware_update_statuses_update_id_idx ON firmware_update_statuses USING btree (update_id);

CREATE INDEX firmware_updates_charger_id_id_idx ON firmware_updates USING btree (charger_id, id DESC);

CREATE INDEX firmware_updates_failed ON firmware_updates USING btree (closed_at) WHERE (outcome = 'failed'::text);

CREATE INDEX firmware_updates_unfinished ON firmware_updates USING btree (charger_id) WHERE (outcome IS DISTINCT FROM 'succeeded'::text);

CREATE INDEX id_token_caches_charger_id_idx ON id_token_caches USING btree (charger_id);

CREATE INDEX id_tokens_ever ON id_tokens USING btree (network_id, lower(uid));

CREATE UNIQUE INDEX id_tokens_network_id_lower_idx ON id_tokens USING btree (network_id, lower(uid)) WHERE (deleted_at IS NULL);

CREATE INDEX id_tokens_of_all_by_uid ON id_tokens USING btree (lower(uid), id) WHERE (deleted_at IS NULL);

CREATE INDEX id_tokens_of_network ON id_tokens USING btree (network_id, id);

CREATE INDEX id_tokens_searched ON id_tokens USING gin (search_text gin_trgm_ops);

CREATE INDEX id_tokens_to_forget ON id_tokens USING btree (id) WHERE chargers_must_forget;

CREATE INDEX id_tokens_user_id_idx ON id_tokens USING btree (user_id);

CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys USING btree (expires_at);

CREATE INDEX import_rows_by_key ON import_rows USING btree (import_id, key_digest) WHERE (key_digest IS NOT NULL);

CREATE INDEX import_rows_by_outcome ON import_rows USING btree (import_id, outcome, line);

CREATE INDEX import_rows_by_sealing_key ON import_rows USING btree (sealing_key, id);

CREATE INDEX import_rows_by_unique ON import_rows USING btree (import_id, unique_digest) WHERE (unique_digest IS NOT NULL);

CREATE INDEX imports_in_progress ON imports USING btree (id) WHERE (state = ANY (ARRAY['CHECKING'::text, 'APPLYING'::text]));

CREATE INDEX imports_of_network ON imports USING btree (network_id, id);

CREATE INDEX imports_with_rows ON imports USING btree (state_at) WHERE (state <> 'EXPIRED'::text);

CREATE INDEX invoices_network_id_id_idx ON invoices USING btree (network_id, id DESC);

CREATE INDEX invoices_user_id_id_idx ON invoices USING btree (user_id, id DESC) WHERE (user_id IS NOT NULL);

CREATE INDEX ledger_transactions_session_id_idx ON ledger_transactions USING btree (session_id) WHERE (session_id IS NOT NULL);

CREATE INDEX ledger_transactions_wallet_id_id_idx ON ledger_transactions USING btree (wallet_id, id DESC);

CREATE INDEX load_bounds_of_connector ON load_bounds USING btree (connector_id) WHERE (connector_id IS NOT NULL);

CREATE INDEX load_connectors_of_site ON load_connectors USING btree (site_id, "position");

CREATE INDEX load_sites_by_lease ON load_sites USING btree (lease_until) WHERE is_enabled;

CREATE INDEX load_sites_of_network ON load_sites USING btree (network_id, id);

CREATE INDEX local_list_entries_id_token_id_idx ON local_list_entries USING btree (id_token_id);

CREATE INDEX locations_network_id_idx ON locations USING btree (network_id) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX locations_ocpi_id_key ON locations USING btree (network_id, lower(ocpi_id));

CREATE INDEX log_upload_statuses_charger_id_id_idx ON log_upload_statuses USING btree (charger_id, id DESC);

CREATE INDEX log_upload_statuses_update_id_idx ON log_upload_statuses USING btree (update_id);

CREATE INDEX log_uploads_charger_id_id_idx ON log_uploads USING btree (charger_id, id DESC);

CREATE INDEX login_challenges_expires_at_idx ON login_challenges USING btree (expires_at);

CREATE INDEX login_challenges_operator_id_idx ON login_challenges USING btree (operator_id);

CREATE INDEX mails_created_at_idx ON mails USING btree (created_at);

CREATE UNIQUE INDEX manufacturers_name_key ON manufacturers USING btree (lower(name)) WHERE (deleted_at IS NULL);

CREATE INDEX ocpi_assignment_moments_at_idx ON ocpi_assignment_moments USING btree (at);

CREATE INDEX ocpi_authorizations_charger_id_lower_id_idx ON ocpi_authorizations USING btree (charger_id, lower(token_uid), id);

CREATE INDEX ocpi_authorizations_expires_at_idx ON ocpi_authorizations USING btree (expires_at);

CREATE INDEX ocpi_authorizations_session_id_idx ON ocpi_authorizations USING btree (session_id) WHERE (session_id IS NOT NULL);

CREATE INDEX ocpi_commands_authorization_id_idx ON ocpi_commands USING btree (authorization_id) WHERE (authorization_id IS NOT NULL);

CREATE UNIQUE INDEX ocpi_commands_command_id_key ON ocpi_commands USING btree (partner_id, command_id) WHERE (command_id IS NOT NULL);

CREATE INDEX ocpi_commands_id_idx ON ocpi_commands USING btree (id) WHERE is_cancellation_due;

CREATE INDEX ocpi_commands_partner_id_lower_id_idx ON ocpi_commands USING btree (partner_id, lower((task ->> 'reservationRef'::text)), id) WHERE (type = 'RESERVE_NOW'::text);

CREATE INDEX ocpi_commands_partner_id_repeat_key_id_idx ON ocpi_commands USING btree (partner_id, repeat_key, id) WHERE (repeat_key IS NOT NULL);

CREATE INDEX ocpi_commands_reservation_id_idx ON ocpi_commands USING btree (reservation_id) WHERE (reservation_id IS NOT NULL);

CREATE INDEX ocpi_commands_session_id_created_at_idx ON ocpi_commands USING btree (session_id, created_at) WHERE (session_id IS NOT NULL);

CREATE INDEX ocpi_partner_parties_partner_id_idx ON ocpi_partner_parties USING btree (partner_id);

CREATE INDEX ocpi_partners_network_id_id_idx ON ocpi_partners USING btree (network_id, id) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX ocpi_partners_party_key ON ocpi_partners USING btree (network_id, country_code, party_id) WHERE (deleted_at IS NULL);

CREATE INDEX ocpi_partners_refused ON ocpi_partners USING btree (refused_at) WHERE (refused_at IS NOT NULL);

CREATE UNIQUE INDEX ocpi_partners_token ON ocpi_partners USING btree (token_hash) WHERE (token_hash IS NOT NULL);

CREATE INDEX ocpi_profiles_changed ON ocpi_profiles USING btree (session_id) WHERE (changed_at IS DISTINCT FROM pushed_at);

CREATE INDEX ocpi_pushes_in_order ON ocpi_pushes USING btree (partner_id, due_at, id);

CREATE INDEX ocpi_pushes_set_aside ON ocpi_pushes USING btree (partner_id) WHERE (set_aside_at IS NOT NULL);

CREATE INDEX ocpi_tokens_at_charger ON ocpi_tokens USING btree (lower(uid));

CREATE INDEX ocpi_tokens_invalid ON ocpi_tokens USING btree (partner_id, id) WHERE (NOT is_valid);

CREATE UNIQUE INDEX ocpi_tokens_key ON ocpi_tokens USING btree (partner_id, country_code, party_id, lower(uid), type);

CREATE INDEX ocpi_tokens_of_partner ON ocpi_tokens USING btree (partner_id, id);

CREATE INDEX ocpi_unknown_tokens_expires_at_idx ON ocpi_unknown_tokens USING btree (expires_at);

CREATE INDEX ocpi_withdrawn_evses_evse_id_idx ON ocpi_withdrawn_evses USING btree (evse_id);

CREATE INDEX operator_networks_network_id_idx ON operator_networks USING btree (network_id);

CREATE INDEX operator_password_resets_expires_at_idx ON operator_password_resets USING btree (expires_at);

CREATE INDEX operator_password_resets_operator_id_idx ON operator_password_resets USING btree (operator_id);

CREATE INDEX operator_refresh_tokens_session_id_idx ON operator_refresh_tokens USING btree (session_id);

CREATE INDEX operator_sessions_expires_at_idx ON operator_sessions USING btree (expires_at);

CREATE INDEX operator_sessions_operator_id_idx ON operator_sessions USING btree (operator_id);

CREATE INDEX operators_custom_role_id_idx ON operators USING btree (custom_role_id) WHERE (custom_role_id IS NOT NULL);

CREATE UNIQUE INDEX operators_email_key ON operators USING btree (lower(email)) WHERE ((deleted_at IS NULL) AND (issuer IS NULL));

CREATE UNIQUE INDEX operators_subject_key ON operators USING btree (issuer, subject) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX outbox_by_position ON outbox USING btree ("position") WHERE ("position" IS NOT NULL);

CREATE INDEX outbox_public ON outbox USING btree (network_id, "position") WHERE (("position" IS NOT NULL) AND (subject_uuid IS NOT NULL));

CREATE INDEX outbox_unassigned ON outbox USING btree (id) WHERE ("position" IS NULL);

CREATE INDEX queued_jobs_due ON queued_jobs USING btree (name, due_at);

CREATE INDEX reading_receipts_age ON reading_receipts USING btree (received_at);

CREATE INDEX rejected_connections_charger_id_idx ON rejected_connections USING btree (charger_id);

CREATE INDEX rejected_connections_last_at_idx ON rejected_connections USING btree (last_at);

CREATE INDEX remote_starts_charger_id_id_idx ON remote_starts USING btree (charger_id, id DESC);

CREATE UNIQUE INDEX remote_starts_connector_key ON remote_starts USING btree (charger_id, evse) WHERE ((status = 'pending'::text) AND (connector_id IS NOT NULL));

CREATE INDEX remote_starts_expires_at_idx ON remote_starts USING btree (expires_at) WHERE (status = 'pending'::text);

CREATE INDEX remote_starts_failed ON remote_starts USING btree (requested_at) WHERE (status = ANY (ARRAY['refused'::text, 'expired'::text]));

CREATE INDEX remote_starts_of_user ON remote_starts USING btree (user_id) WHERE (user_id IS NOT NULL);

CREATE INDEX remote_starts_session ON remote_starts USING btree (session_id) WHERE (session_id IS NOT NULL);

CREATE UNIQUE INDEX remote_starts_user_key ON remote_starts USING btree (user_id) WHERE ((status = 'pending'::text) AND (user_id IS NOT NULL));

CREATE INDEX reservations_billed ON reservations USING btree (billed_session_id) WHERE (billed_session_id IS NOT NULL);

CREATE INDEX reservations_charger_id_id_idx ON reservations USING btree (charger_id, id DESC);

CREATE INDEX reservations_charger_id_idx ON reservations USING btree (charger_id) WHERE (status = 'Active'::text);

CREATE INDEX reservations_expires_at_idx ON reservations USING btree (expires_at) WHERE (status = 'Active'::text);

CREATE INDEX reservations_of_token ON reservations USING btree (lower(id_token));

CREATE INDEX reservations_open ON reservations USING btree (id) WHERE is_open;

CREATE INDEX saved_views_network_id_id_idx ON saved_views USING btree (network_id, id) WHERE (network_id IS NOT NULL);

CREATE INDEX saved_views_owner_key_id_id_idx ON saved_views USING btree (owner_key_id, id) WHERE (owner_key_id IS NOT NULL);

CREATE INDEX saved_views_owner_operator_id_id_idx ON saved_views USING btree (owner_operator_id, id) WHERE (owner_operator_id IS NOT NULL);

CREATE INDEX scheduled_charges_user_id_start_at_id_idx ON scheduled_charges USING btree (user_id, start_at DESC, id DESC);

CREATE INDEX second_factors_operator_id_idx ON second_factors USING btree (operator_id);

CREATE UNIQUE INDEX security_events_charger_id_occurred_at_md5_idx ON security_events USING btree (charger_id, occurred_at, md5(((type || ' '::text) || COALESCE(tech_info, ''::text))));

CREATE INDEX security_events_of_charger ON security_events USING btree (charger_id, occurred_at DESC, id DESC);

CREATE INDEX security_events_received ON security_events USING btree (received_at);

CREATE INDEX sessions_billing_of_network ON sessions USING btree (network_id, billing, ended_at DESC, id DESC) WHERE (status = 'COMPLETED'::text);

CREATE INDEX sessions_charger_id_connector_id_idx ON sessions USING btree (charger_id, connector_id) WHERE (status = ANY (ARRAY['ACTIVE'::text, 'STOPPING'::text]));

CREATE INDEX sessions_charger_id_started_at_id_idx ON sessions USING btree (charger_id, started_at DESC, id DESC);

CREATE INDEX sessions_ended_at_connector ON sessions USING btree (connector_id, ended_at) WHERE (status = 'COMPLETED'::text);

CREATE INDEX sessions_ended_of_network ON sessions USING btree (network_id, ended_at DESC, id DESC) WHERE (status = 'COMPLETED'::text);

CREATE INDEX sessions_ended_of_user ON sessions USING btree (user_id, ended_at DESC, id DESC) WHERE ((status = 'COMPLETED'::text) AND (user_id IS NOT NULL));

CREATE INDEX sessions_estimated ON sessions USING btree (ended_at) WHERE (flags @> '{estimated}'::text[]);

CREATE INDEX sessions_flags_idx ON sessions USING gin (flags);

CREATE INDEX sessions_in_review ON sessions USING btree (started_at DESC, id DESC) WHERE (price_state = 'REVIEW'::text);

CREATE INDEX sessions_invoiced ON sessions USING btree (network_id, invoice_number) WHERE (invoice_number IS NOT NULL);

CREATE INDEX sessions_limited ON sessions USING btree (id) WHERE ((status = ANY (ARRAY['ACTIVE'::text, 'STOPPING'::text])) AND ((max_cost_minor IS NOT NULL) OR (max_duration_s IS NOT NULL) OR (max_energy_wh IS NOT NULL)));

CREATE INDEX sessions_lower_started_at_id_idx ON sessions USING btree (lower(id_token), started_at DESC, id DESC) WHERE (id_token IS NOT NULL);

CREATE INDEX sessions_network_id_started_at_id_idx ON sessions USING btree (network_id, started_at DESC, id DESC);

CREATE INDEX sessions_of_all_ended ON sessions USING btree (ended_at DESC, id DESC) WHERE ((status = 'COMPLETED'::text) AND (id > 0));

CREATE INDEX sessions_of_all_started ON sessions USING btree (started_at DESC, id DESC) WHERE (id > 0);

CREATE INDEX sessions_of_hub_client ON sessions USING btree (ocpi_partner_id, ((ocpi_token ->> 'country_code'::text)), ((ocpi_token ->> 'party_id'::text)), id) WHERE (ocpi_partner_id IS NOT NULL);

CREATE INDEX sessions_of_partner ON sessions USING btree (ocpi_partner_id, id) WHERE (ocpi_partner_id IS NOT NULL);

CREATE INDEX sessions_of_transaction ON sessions USING btree (ocpp_transaction_id);

CREATE INDEX sessions_price_due ON sessions USING btree (id) WHERE (((price_state = 'PENDING'::text) OR (price_readings = ANY (ARRAY['LATE'::text, 'MISSING_LATE'::text]))) AND (invoice_number IS NULL));

CREATE INDEX sessions_refused ON sessions USING btree (start_received_at) WHERE (authorization_status <> 'Accepted'::text);

CREATE INDEX sessions_running ON sessions USING btree (connector_id, started_at) WHERE (status = ANY (ARRAY['ACTIVE'::text, 'STOPPING'::text]));

CREATE INDEX sessions_running_of_network ON sessions USING btree (network_id) WHERE (status = ANY (ARRAY['ACTIVE'::text, 'STOPPING'::text]));

CREATE INDEX sessions_stated ON sessions USING btree (id) WHERE ((partner_statement IS NOT NULL) AND (ended_at IS NULL));

CREATE INDEX sessions_time_doubtful ON sessions USING btree (start_received_at) WHERE ((flags && '{time-past,time-future}'::text[]) OR ((start_received_at - started_at) > '00:05:00'::interval));

CREATE INDEX sessions_updated ON sessions USING brin (updated_at);

CREATE INDEX sessions_user_id_started_at_id_idx ON sessions USING btree (user_id, started_at DESC, id DESC) WHERE (user_id IS NOT NULL);

CREATE INDEX sessions_without_tariff ON sessions USING btree (start_received_at) WHERE (tariff IS NULL);

CREATE INDEX signed_meter_values_data ON signed_meter_values USING btree (md5(data));

CREATE UNIQUE INDEX signed_meter_values_once ON signed_meter_values USING btree (session_id, nature, md5(data));

CREATE INDEX tariff_assignments_charger_id_idx ON tariff_assignments USING btree (charger_id) WHERE (charger_id IS NOT NULL);

CREATE INDEX tariff_assignments_connector_id_idx ON tariff_assignments USING btree (connector_id) WHERE (connector_id IS NOT NULL);

CREATE INDEX tariff_assignments_location_id_idx ON tariff_assignments USING btree (location_id) WHERE (location_id IS NOT NULL);

CREATE INDEX tariff_assignments_network_id_idx ON tariff_assignments USING btree (network_id) WHERE (network_id IS NOT NULL);

CREATE INDEX tariff_assignments_of_charger ON tariff_assignments USING btree (charger_id) WHERE is_active;

CREATE INDEX tariff_assignments_of_connector ON tariff_assignments USING btree (connector_id) WHERE is_active;

CREATE INDEX tariff_assignments_of_location ON tariff_assignments USING btree (location_id) WHERE is_active;

CREATE INDEX tariff_assignments_of_network ON tariff_assignments USING btree (network_id) WHERE is_active;

CREATE INDEX tariff_assignments_of_tariff ON tariff_assignments USING btree (tariff_id);

CREATE INDEX tariffs_network_id_id_idx ON tariffs USING btree (network_id, id) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX unmatched_stops_charger_id_ocpp_transaction_id_expr_expr1_idx ON unmatched_stops USING btree (charger_id, ocpp_transaction_id, ((stop ->> 'endedAt'::text)), ((stop ->> 'meterStopWh'::text)));

CREATE INDEX unmatched_stops_received_at_idx ON unmatched_stops USING btree (received_at);

CREATE INDEX users_by_email ON users USING btree (lower(email)) WHERE (deleted_at IS NULL);

CREATE INDEX users_by_name ON users USING btree (network_id, lower(name), id) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX users_network_id_lower_idx ON users USING btree (network_id, lower(email)) WHERE (deleted_at IS NULL);

CREATE INDEX users_of_all_by_name ON users USING btree (lower(name), id) WHERE (deleted_at IS NULL);

CREATE INDEX users_of_network ON users USING btree (network_id, id) WHERE (deleted_at IS NULL);

CREATE INDEX users_searched ON users USING gin (search_text gin_trgm_ops) WHERE (deleted_at IS NULL);

CREATE INDEX wallet_holds_expires_at_idx ON wallet_holds USING btree (expires_at) WHERE ((status = 'held'::text) AND (session_id IS NULL));

CREATE INDEX wallet_holds_held ON wallet_holds USING btree (wallet_id) WHERE (status = 'held'::text);

CREATE UNIQUE INDEX wallet_holds_remote_start ON wallet_holds USING btree (remote_start_id) WHERE (remote_start_id IS NOT NULL);

CREATE INDEX wallet_top_ups_mismatched ON wallet_top_ups USING btree (mismatched_at) WHERE (mismatched_at IS NOT NULL);

CREATE INDEX wallet_top_ups_wallet_id_id_idx ON wallet_top_ups USING btree (wallet_id, id DESC);

CREATE INDEX wallets_network_id_id_idx ON wallets USING btree (network_id, id);

CREATE INDEX wallets_owing ON wallets USING btree (network_id) WHERE (owed_minor > 0);

CREATE INDEX webhook_dead_letters_created_at_idx ON webhook_dead_letters USING btree (created_at);

CREATE INDEX webhook_dead_letters_endpoint_id_id_idx ON webhook_dead_letters USING btree (endpoint_id, id);

CREATE INDEX webhook_endpoints_network_id_idx ON webhook_endpoints USING btree (network_id) WHERE (deleted_at IS NULL);

CREATE INDEX webhook_lanes_leased_by_idx ON webhook_lanes USING btree (leased_by) WHERE (leased_by IS NOT NULL);

CREATE INDEX webhook_retries_endpoint_id_due_at_idx ON webhook_retries USING btree (endpoint_id, due_at);

CREATE INDEX webhook_secrets_endpoint_id_idx ON webhook_secrets USING btree (endpoint_id);

alter table alert_channel_notices
  add constraint alert_channel_notices_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES alert_channels(id),
  add constraint alert_channel_notices_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES alert_notifications(id) ON DELETE CASCADE;

alter table alert_channels
  add constraint alert_channels_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table alert_mutes
  add constraint alert_mutes_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id),
  add constraint alert_mutes_location_id_fkey FOREIGN KEY (location_id) REFERENCES locations(id),
  add constraint alert_mutes_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table alert_notices
  add constraint alert_notices_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id),
  add constraint alert_notices_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES alert_notifications(id) ON DELETE CASCADE;

alter table alert_notifications
  add constraint alert_notifications_location_id_fkey FOREIGN KEY (location_id) REFERENCES locations(id),
  add constraint alert_notifications_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table alert_rules
  add constraint alert_rules_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table alert_thresholds
  add constraint alert_thresholds_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table alerts
  add constraint alerts_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id),
  add constraint alerts_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id),
  add constraint alerts_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES alert_notifications(id) ON DELETE SET NULL,
  add constraint alerts_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id);

alter table api_key_networks
  add constraint api_key_networks_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  add constraint api_key_networks_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table api_keys
  add constraint api_keys_created_by_key_id_fkey FOREIGN KEY (created_by_key_id) REFERENCES api_keys(id),
  add constraint api_keys_created_by_operator_id_fkey FOREIGN KEY (created_by_operator_id) REFERENCES operators(id),
  add constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table audit_log
  add constraint audit_log_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id),
  add constraint audit_log_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table availability_exclusions
  add constraint availability_exclusions_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id),
  add constraint availability_exclusions_location_id_fkey FOREIGN KEY (location_id) REFERENCES locations(id),
  add constraint availability_exclusions_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table browser_sessions
  add constraint browser_sessions_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  add constraint browser_sessions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON DELETE CASCADE;

alter table bulk_job_items
  add constraint bulk_job_items_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id),
  add constraint bulk_job_items_job_id_fkey FOREIGN KEY (job_id) REFERENCES bulk_jobs(id) ON DELETE CASCADE;

alter table bulk_jobs
  add constraint bulk_jobs_created_by_key_id_fkey FOREIGN KEY (created_by_key_id) REFERENCES api_keys(id),
  add constraint bulk_jobs_created_by_operator_id_fkey FOREIGN KEY (created_by_operator_id) REFERENCES operators(id);

alter table cdrs
  add constraint cdrs_credits_id_fkey FOREIGN KEY (credits_id) REFERENCES cdrs(id),
  add constraint cdrs_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id),
  add constraint cdrs_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES ocpi_partners(id),
  add constraint cdrs_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id);

alter table certificate_requests
  add constraint certificate_requests_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id);

alter table charger_certificates
  add constraint charger_certificates_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id);

alter table charger_models
  add constraint charger_models_manufacturer_id_fkey FOREIGN KEY (manufacturer_id) REFERENCES manufacturers(id);

alter table charger_notifications
  add constraint charger_notifications_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id);

alter table charger_reports
  add constraint charger_reports_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id);

alter table chargers
  add constraint chargers_location_id_fkey FOREIGN KEY (location_id) REFERENCES locations(id),
  add constraint chargers_model_id_fkey FOREIGN KEY (model_id) REFERENCES charger_models(id),
  add constraint chargers_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table charging_profiles
  add constraint charging_profiles_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id);

alter table connectors
  add constraint connectors_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id);

alter table custom_roles
  add constraint custom_roles_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table device_events
  add constraint device_events_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id);

alter table device_variables
  add constraint device_variables_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id);

alter table driver_accounts
  add constraint driver_accounts_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id),
  add constraint driver_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table driver_mail_tokens
  add constraint driver_mail_tokens_account_id_fkey FOREIGN KEY (account_id) REFERENCES driver_accounts(id) ON DELETE CASCADE,
  add constraint driver_mail_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table driver_refresh_tokens
  add constraint driver_refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES driver_sessions(id) ON DELETE CASCADE;

alter table driver_sessions
  add constraint driver_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES driver_accounts(id) ON DELETE CASCADE;

alter table event_streams
  add constraint event_streams_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id) ON DELETE CASCADE;

alter table evses
  add constraint evses_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id),
  add constraint evses_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table export_parts
  add constraint export_parts_export_id_fkey FOREIGN KEY (export_id) REFERENCES exports(id) ON DELETE CASCADE;

alter table firmware_images
  add constraint firmware_images_model_id_fkey FOREIGN KEY (model_id) REFERENCES charger_models(id);

alter table firmware_update_statuses
  add constraint firmware_update_statuses_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id),
  add constraint firmware_update_statuses_update_id_fkey FOREIGN KEY (update_id) REFERENCES firmware_updates(id);

alter table firmware_updates
  add constraint firmware_updates_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id);

alter table id_token_caches
  add constraint id_token_caches_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id),
  add constraint id_token_caches_id_token_id_fkey FOREIGN KEY (id_token_id) REFERENCES id_tokens(id);

alter table id_tokens
  add constraint id_tokens_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id),
  add constraint id_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table import_rows
  add constraint import_rows_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE;

alter table imports
  add constraint imports_created_by_key_id_fkey FOREIGN KEY (created_by_key_id) REFERENCES api_keys(id),
  add constraint imports_created_by_operator_id_fkey FOREIGN KEY (created_by_operator_id) REFERENCES operators(id),
  add constraint imports_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table inactivity_notices
  add constraint inactivity_notices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table invoice_counters
  add constraint invoice_counters_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table invoices
  add constraint invoices_credited_id_fkey FOREIGN KEY (credited_id) REFERENCES invoices(id),
  add constraint invoices_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id),
  add constraint invoices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table ledger_entries
  add constraint ledger_entries_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES ledger_transactions(id);

alter table ledger_transactions
  add constraint ledger_transactions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id),
  add constraint ledger_transactions_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id);

alter table load_bounds
  add constraint load_bounds_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES load_connectors(connector_id),
  add constraint load_bounds_site_id_circuit_id_fkey FOREIGN KEY (site_id, circuit_id) REFERENCES load_circuits(site_id, id),
  add constraint load_bounds_site_id_fkey FOREIGN KEY (site_id) REFERENCES load_sites(id) ON DELETE CASCADE;

alter table load_circuits
  add constraint load_circuits_site_id_fkey FOREIGN KEY (site_id) REFERENCES load_sites(id) ON DELETE CASCADE;

alter table load_connectors
  add constraint load_connectors_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connectors(id),
  add constraint load_connectors_site_id_circuit_id_fkey FOREIGN KEY (site_id, circuit_id) REFERENCES load_circuits(site_id, id),
  add constraint load_connectors_site_id_fkey FOREIGN KEY (site_id) REFERENCES load_sites(id) ON DELETE CASCADE;

alter table load_sites
  add constraint load_sites_location_id_fkey FOREIGN KEY (location_id) REFERENCES locations(id),
  add constraint load_sites_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table local_list_entries
  add constraint local_list_entries_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id),
  add constraint local_list_entries_id_token_id_fkey FOREIGN KEY (id_token_id) REFERENCES id_tokens(id);

alter table locations
  add constraint locations_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table log_upload_statuses
  add constraint log_upload_statuses_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id),
  add constraint log_upload_statuses_update_id_fkey FOREIGN KEY (update_id) REFERENCES log_uploads(id);

alter table log_uploads
  add constraint log_uploads_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id);

alter table login_challenges
  add constraint login_challenges_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON DELETE CASCADE;

alter table mails
  add constraint mails_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table meter_keys
  add constraint meter_keys_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id),
  add constraint meter_keys_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connectors(id);

alter table meter_overrides
  add constraint meter_overrides_model_id_fkey FOREIGN KEY (model_id) REFERENCES charger_models(id);

alter table ocpi_authorizations
  add constraint ocpi_authorizations_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id),
  add constraint ocpi_authorizations_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES ocpi_partners(id),
  add constraint ocpi_authorizations_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id);

alter table ocpi_commands
  add constraint ocpi_commands_authorization_id_fkey FOREIGN KEY (authorization_id) REFERENCES ocpi_authorizations(id) ON DELETE SET NULL,
  add constraint ocpi_commands_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id),
  add constraint ocpi_commands_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES ocpi_partners(id),
  add constraint ocpi_commands_reservation_id_fkey FOREIGN KEY (reservation_id) REFERENCES reservations(id),
  add constraint ocpi_commands_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id);

alter table ocpi_delivered_cdrs
  add constraint ocpi_delivered_cdrs_cdr_id_fkey FOREIGN KEY (cdr_id) REFERENCES cdrs(id);

alter table ocpi_handshakes
  add constraint ocpi_handshakes_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES ocpi_partners(id);

alter table ocpi_hub_client_pulls
  add constraint ocpi_hub_client_pulls_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES ocpi_partners(id);

alter table ocpi_hub_clients
  add constraint ocpi_hub_clients_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES ocpi_partners(id);

alter table ocpi_partner_endpoints
  add constraint ocpi_partner_endpoints_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES ocpi_partners(id);

alter table ocpi_partner_parties
  add constraint ocpi_partner_parties_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id),
  add constraint ocpi_partner_parties_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES ocpi_partners(id);

alter table ocpi_partners
  add constraint ocpi_partners_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table ocpi_profiles
  add constraint ocpi_profiles_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id);

alter table ocpi_push_lanes
  add constraint ocpi_push_lanes_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES ocpi_partners(id);

alter table ocpi_pushes
  add constraint ocpi_pushes_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES ocpi_partners(id);

alter table ocpi_token_pulls
  add constraint ocpi_token_pulls_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES ocpi_partners(id);

alter table ocpi_tokens
  add constraint ocpi_tokens_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES ocpi_partners(id);

alter table ocpi_unknown_tokens
  add constraint ocpi_unknown_tokens_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id),
  add constraint ocpi_unknown_tokens_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id),
  add constraint ocpi_unknown_tokens_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES ocpi_partners(id);

alter table ocpi_withdrawn_evses
  add constraint ocpi_withdrawn_evses_evse_id_fkey FOREIGN KEY (evse_id) REFERENCES evses(id),
  add constraint ocpi_withdrawn_evses_location_id_fkey FOREIGN KEY (location_id) REFERENCES locations(id);

alter table ocpi_withdrawn_locations
  add constraint ocpi_withdrawn_locations_location_id_fkey FOREIGN KEY (location_id) REFERENCES locations(id);

alter table open_data_feeds
  add constraint open_data_feeds_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table operator_networks
  add constraint operator_networks_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id),
  add constraint operator_networks_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON DELETE CASCADE;

alter table operator_password_resets
  add constraint operator_password_resets_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON DELETE CASCADE;

alter table operator_refresh_tokens
  add constraint operator_refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES operator_sessions(id) ON DELETE CASCADE;

alter table operator_sessions
  add constraint operator_sessions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON DELETE CASCADE;

alter table operators
  add constraint operators_custom_role_id_fkey FOREIGN KEY (custom_role_id) REFERENCES custom_roles(id);

alter table reading_receipts
  add constraint reading_receipts_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id) ON DELETE CASCADE;

alter table receipt_counters
  add constraint receipt_counters_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table receipts
  add constraint receipts_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id),
  add constraint receipts_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id);

alter table recovery_codes
  add constraint recovery_codes_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON DELETE CASCADE;

alter table rejected_connections
  add constraint rejected_connections_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id) ON DELETE CASCADE;

alter table remote_starts
  add constraint remote_starts_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id),
  add constraint remote_starts_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connectors(id),
  add constraint remote_starts_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id),
  add constraint remote_starts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table reservations
  add constraint reservations_billed_session_id_fkey FOREIGN KEY (billed_session_id) REFERENCES sessions(id),
  add constraint reservations_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id),
  add constraint reservations_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id);

alter table saved_views
  add constraint saved_views_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id),
  add constraint saved_views_owner_key_id_fkey FOREIGN KEY (owner_key_id) REFERENCES api_keys(id),
  add constraint saved_views_owner_operator_id_fkey FOREIGN KEY (owner_operator_id) REFERENCES operators(id);

alter table scheduled_charges
  add constraint scheduled_charges_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id),
  add constraint scheduled_charges_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connectors(id),
  add constraint scheduled_charges_id_token_id_fkey FOREIGN KEY (id_token_id) REFERENCES id_tokens(id),
  add constraint scheduled_charges_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id),
  add constraint scheduled_charges_remote_start_id_fkey FOREIGN KEY (remote_start_id) REFERENCES remote_starts(id),
  add constraint scheduled_charges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table second_factors
  add constraint second_factors_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON DELETE CASCADE;

alter table security_events
  add constraint security_events_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id);

alter table session_revisions
  add constraint session_revisions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id);

alter table sessions
  add constraint sessions_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id),
  add constraint sessions_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connectors(id),
  add constraint sessions_id_token_id_fkey FOREIGN KEY (id_token_id) REFERENCES id_tokens(id),
  add constraint sessions_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id),
  add constraint sessions_ocpi_partner_id_fkey FOREIGN KEY (ocpi_partner_id) REFERENCES ocpi_partners(id),
  add constraint sessions_tariff_id_fkey FOREIGN KEY (tariff_id) REFERENCES tariffs(id),
  add constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table shown_costs
  add constraint shown_costs_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;

alter table signature_rechecks
  add constraint signature_rechecks_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id);

alter table signed_meter_values
  add constraint signed_meter_values_meter_key_id_fkey FOREIGN KEY (meter_key_id) REFERENCES meter_keys(id),
  add constraint signed_meter_values_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id);

alter table station_tariffs
  add constraint station_tariffs_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id) ON DELETE CASCADE;

alter table station_transactions
  add constraint station_transactions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;

alter table tariff_assignments
  add constraint tariff_assignments_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id),
  add constraint tariff_assignments_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connectors(id),
  add constraint tariff_assignments_location_id_fkey FOREIGN KEY (location_id) REFERENCES locations(id),
  add constraint tariff_assignments_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id),
  add constraint tariff_assignments_tariff_id_fkey FOREIGN KEY (tariff_id) REFERENCES tariffs(id);

alter table tariff_versions
  add constraint tariff_versions_tariff_id_fkey FOREIGN KEY (tariff_id) REFERENCES tariffs(id);

alter table tariffs
  add constraint tariffs_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table token_notices
  add constraint token_notices_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id);

alter table trusted_certificates
  add constraint trusted_certificates_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table unmatched_stops
  add constraint unmatched_stops_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id);

alter table users
  add constraint users_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id);

alter table variable_monitors
  add constraint variable_monitors_charger_id_fkey FOREIGN KEY (charger_id) REFERENCES chargers(id);

alter table wallet_holds
  add constraint wallet_holds_remote_start_id_fkey FOREIGN KEY (remote_start_id) REFERENCES remote_starts(id),
  add constraint wallet_holds_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id),
  add constraint wallet_holds_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id);

alter table wallet_top_ups
  add constraint wallet_top_ups_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id);

alter table wallets
  add constraint wallets_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id),
  add constraint wallets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table webhook_dead_letters
  add constraint webhook_dead_letters_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id);

alter table webhook_endpoints
  add constraint webhook_endpoints_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id),
  add constraint webhook_endpoints_owner_key_id_fkey FOREIGN KEY (owner_key_id) REFERENCES api_keys(id),
  add constraint webhook_endpoints_owner_operator_id_fkey FOREIGN KEY (owner_operator_id) REFERENCES operators(id);

alter table webhook_lanes
  add constraint webhook_lanes_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id);

alter table webhook_retries
  add constraint webhook_retries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id);

alter table webhook_secrets
  add constraint webhook_secrets_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id);

CREATE OR REPLACE FUNCTION tariff_document(t tariffs)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_strip_nulls(jsonb_build_object(
    'uuid', t.uuid, 'name', t.name, 'currency', t.currency, 'version', t.version, 'type', t.type,
    'elements', t.elements, 'idle', t.idle, 'min_price', t.min_price, 'max_price', t.max_price,
    'tariff_alt_text', nullif(t.alt_text, '[]'), 'tariff_alt_url', t.alt_url, 'energy_mix', t.energy_mix,
    'start_date_time', to_char(t.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'end_date_time', to_char(t.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
$function$;

CREATE OR REPLACE FUNCTION tariff_at(t tariffs, at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(
    (select v.document from tariff_versions v where v.tariff_id = t.id and v.valid_until > at order by v.version limit 1),
    tariff_document(t))
$function$;

create view tariff_moves as
 SELECT a.network_id,
    a.location_id,
    a.charger_id,
    a.connector_id,
    moment.at
   FROM ((tariff_assignments a
     JOIN tariffs t ON ((t.id = a.tariff_id)))
     CROSS JOIN LATERAL ( VALUES (a.created_at), (a.withdrawn_at), (a.valid_from), (a.valid_until), (t.updated_at), (t.starts_at), (t.ends_at)) moment(at))
  WHERE (moment.at <= now());

create view connector_updates as
 SELECT k.id AS connector_id,
    k.charger_id,
    k.evse_number,
    GREATEST(k.last_updated, ( SELECT max(m.at) AS max
           FROM tariff_moves m
          WHERE (m.connector_id = k.id)), ( SELECT max(m.at) AS max
           FROM tariff_moves m
          WHERE (m.charger_id = c.id)), ( SELECT max(m.at) AS max
           FROM tariff_moves m
          WHERE (m.location_id = c.location_id)), ( SELECT max(m.at) AS max
           FROM tariff_moves m
          WHERE (m.network_id = c.network_id))) AS last_updated
   FROM (connectors k
     JOIN chargers c ON ((c.id = k.charger_id)));

create view location_updates as
 SELECT l.id AS location_id,
    COALESCE(w.withdrawn_at, GREATEST(l.updated_at, l.evses_moved_at, ( SELECT max(e.last_updated) AS max
           FROM (chargers c
             JOIN evses e ON ((e.charger_id = c.id)))
          WHERE (c.location_id = l.id)), ( SELECT max(m.at) AS max
           FROM ((chargers c
             JOIN connectors k ON ((k.charger_id = c.id)))
             JOIN tariff_moves m ON ((m.connector_id = k.id)))
          WHERE (c.location_id = l.id)), ( SELECT max(m.at) AS max
           FROM (chargers c
             JOIN tariff_moves m ON ((m.charger_id = c.id)))
          WHERE (c.location_id = l.id)), ( SELECT max(m.at) AS max
           FROM tariff_moves m
          WHERE (m.location_id = l.id)), ( SELECT max(m.at) AS max
           FROM tariff_moves m
          WHERE (m.network_id = l.network_id)))) AS last_updated
   FROM (locations l
     LEFT JOIN ocpi_withdrawn_locations w ON ((w.location_id = l.id)));

CREATE TRIGGER audit_log_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION forbid_change_of_audit_log();

CREATE TRIGGER cdrs_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cdrs FOR EACH STATEMENT EXECUTE FUNCTION refuse_cdr_change();

CREATE TRIGGER charger_changed AFTER INSERT OR DELETE OR UPDATE OF uid, network_id, security_profile, password_hash, pending_password_hashes, certificate_cn, registration, model_id, deleted_at ON chargers FOR EACH ROW EXECUTE FUNCTION announce_charger_change();

CREATE TRIGGER evses_follow AFTER UPDATE ON chargers FOR EACH ROW WHEN ((((((((((((old.connection_id IS NOT NULL) AND (old.disconnected_at IS NULL)) IS DISTINCT FROM ((new.connection_id IS NOT NULL) AND (new.disconnected_at IS NULL))) OR (old.station_status IS DISTINCT FROM new.station_status)) OR (old.ocpp_version IS DISTINCT FROM new.ocpp_version)) OR (old.location_id IS DISTINCT FROM new.location_id)) OR (old.is_public IS DISTINCT FROM new.is_public)) OR (old.physical_reference IS DISTINCT FROM new.physical_reference)) OR (old.floor_level IS DISTINCT FROM new.floor_level)) OR (old.network_id IS DISTINCT FROM new.network_id)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION evses_follow_charger();

CREATE TRIGGER connector_changed BEFORE UPDATE ON connectors FOR EACH ROW WHEN ((((((((((old.status IS DISTINCT FROM new.status) OR (old.standard IS DISTINCT FROM new.standard)) OR (old.format IS DISTINCT FROM new.format)) OR (old.power_type IS DISTINCT FROM new.power_type)) OR (old.max_voltage IS DISTINCT FROM new.max_voltage)) OR (old.max_amperage IS DISTINCT FROM new.max_amperage)) OR (old.max_power_w IS DISTINCT FROM new.max_power_w)) OR (old.terms_and_conditions IS DISTINCT FROM new.terms_and_conditions)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION date_connector();

CREATE TRIGGER evse_follows AFTER UPDATE ON connectors FOR EACH ROW WHEN (((old.last_updated IS DISTINCT FROM new.last_updated) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION evse_follows_connector();

CREATE TRIGGER evse_made AFTER INSERT ON connectors FOR EACH ROW EXECUTE FUNCTION evse_follows_connector();

CREATE TRIGGER evse_event AFTER INSERT OR UPDATE ON evses FOR EACH ROW EXECUTE FUNCTION record_evse_event();

CREATE TRIGGER invoices_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON invoices FOR EACH STATEMENT EXECUTE FUNCTION refuse_invoice_change();

CREATE TRIGGER ledger_entries_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

CREATE TRIGGER ledger_entries_move_balances AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION post_ledger_entries();

CREATE TRIGGER ledger_transactions_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_transactions FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

CREATE TRIGGER location_event AFTER INSERT OR UPDATE ON locations FOR EACH ROW EXECUTE FUNCTION record_location_event();

CREATE TRIGGER receipts_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON receipts FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

CREATE TRIGGER session_created AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION record_session_event();

CREATE TRIGGER session_revision BEFORE UPDATE OF started_at, ended_at, energy_wh, cost_minor, cost ON sessions FOR EACH ROW WHEN (((old.status = 'COMPLETED'::text) AND (NOT ((old.price_state = 'PENDING'::text) AND (NOT (old.price_decision IS DISTINCT FROM new.price_decision)) AND (NOT ((old.ended_at IS DISTINCT FROM new.ended_at) OR (old.energy_wh IS DISTINCT FROM new.energy_wh))))) AND (((((old.started_at IS DISTINCT FROM new.started_at) OR (old.ended_at IS DISTINCT FROM new.ended_at)) OR (old.energy_wh IS DISTINCT FROM new.energy_wh)) OR (old.cost_minor IS DISTINCT FROM new.cost_minor)) OR (old.cost IS DISTINCT FROM new.cost)))) EXECUTE FUNCTION keep_session_revision();

CREATE TRIGGER session_updated AFTER UPDATE ON sessions FOR EACH ROW WHEN (((old.status = 'COMPLETED'::text) OR (old.status <> new.status) OR (floor((EXTRACT(epoch FROM old.live_at) / (300)::numeric)) IS DISTINCT FROM floor((EXTRACT(epoch FROM new.live_at) / (300)::numeric))) OR ((old.idle_started_at IS NULL) <> (new.idle_started_at IS NULL)) OR ((((old.connector_id IS DISTINCT FROM new.connector_id) OR (old.started_at IS DISTINCT FROM new.started_at)) OR (old.user_id IS DISTINCT FROM new.user_id)) OR (old.id_token_id IS DISTINCT FROM new.id_token_id)) OR ((new.ocpi_partner_id IS NOT NULL) AND ((floor((EXTRACT(epoch FROM old.live_at) / (30)::numeric)) IS DISTINCT FROM floor((EXTRACT(epoch FROM new.live_at) / (30)::numeric))) OR (((((((old.ocpi_partner_id IS DISTINCT FROM new.ocpi_partner_id) OR (old.ended_at IS DISTINCT FROM new.ended_at)) OR (old.cost IS DISTINCT FROM new.cost)) OR (old.currency IS DISTINCT FROM new.currency)) OR (old.authorization_reference IS DISTINCT FROM new.authorization_reference)) OR (old.meter_id IS DISTINCT FROM new.meter_id)) OR (old.version IS DISTINCT FROM new.version)))))) EXECUTE FUNCTION record_session_event();

CREATE TRIGGER tariff_assignment_event BEFORE INSERT OR UPDATE ON tariff_assignments FOR EACH ROW EXECUTE FUNCTION record_assignment_event();

CREATE TRIGGER balances_are_posted BEFORE INSERT OR UPDATE OF available_minor, held_minor, owed_minor ON wallets FOR EACH ROW EXECUTE FUNCTION forbid_unposted_balance();

comment on column remote_starts.max_cost_minor is 'Limits that the session takes when it binds. Null: none.';

comment on column wallet_holds.remote_start_id is 'Remote start that the money is held for. Null in rows of older versions.';

insert into outbox_readers (name, "position") values
  ('cdr-marks', '0'),
  ('charging-changes', '0'),
  ('evse-usage', '0'),
  ('facts', '0'),
  ('partner-pushes', '0');

insert into outbox_retention (removed_up_to) values
  ('0');

insert into schema_migrations (name) values
  ('0001_networks_and_people.sql'),
  ('0002_chargers_and_tariffs.sql'),
  ('0003_sessions.sql'),
  ('0010_firmware_and_logs.sql'),
  ('0011_device_model.sql'),
  ('0012_security_and_certificates.sql'),
  ('0013_reservations_and_profiles.sql'),
  ('0020_audit_log.sql'),
  ('0021_command_effects.sql'),
  ('0030_connections.sql'),
  ('0040_security_profiles.sql'),
  ('0050_session_life.sql'),
  ('0060_charger_changes.sql'),
  ('0100_network_details.sql'),
  ('0110_api_key_limits.sql'),
  ('0111_operators.sql'),
  ('0120_catalog.sql'),
  ('0121_firmware_images.sql'),
  ('0122_charger_versions.sql'),
  ('0123_location_details.sql'),
  ('0130_tariff_versions.sql'),
  ('0131_tariff_assignments.sql'),
  ('0132_pending_costs.sql'),
  ('0133_charger_names.sql'),
  ('0134_cut_assignments.sql'),
  ('0140_session_facts.sql'),
  ('0150_wallet_ledger.sql'),
  ('0151_wallet_top_ups.sql'),
  ('0160_idempotency.sql'),
  ('0161_audit_reading.sql'),
  ('0162_session_revisions.sql'),
  ('0163_alerts.sql'),
  ('0170_users_and_tokens.sql'),
  ('0171_reservations.sql'),
  ('0172_device_data.sql'),
  ('0180_meter_overrides.sql'),
  ('0200_ocpi_partners.sql'),
  ('0210_evses.sql'),
  ('0220_ocpi_tokens.sql'),
  ('0221_ocpi_sessions.sql'),
  ('0222_cdrs.sql'),
  ('0230_ocpi_commands.sql'),
  ('0240_ocpi_pushes.sql'),
  ('0250_token_pull_turns.sql'),
  ('0251_ocpi_pushes_in_order.sql'),
  ('0254_ocpi_tariffs_to_come.sql'),
  ('0300_driver_accounts.sql'),
  ('0301_mails.sql'),
  ('0310_charging_starts.sql'),
  ('0311_limits_of_starts.sql'),
  ('0312_starts_of_sessions.sql'),
  ('0320_invoices.sql'),
  ('0321_transactions.sql'),
  ('0322_late_readings.sql'),
  ('0340_evse_versions.sql'),
  ('0341_evses_in_use.sql'),
  ('0350_ocpi_partner_limits.sql'),
  ('0360_room_for_changes.sql'),
  ('0370_lists_of_a_year.sql'),
  ('0371_search.sql'),
  ('0372_lists_of_all_networks.sql'),
  ('0380_more_invoices_a_year.sql'),
  ('0390_reading_receipts.sql'),
  ('0400_steps_of_idempotent_requests.sql'),
  ('0410_key_authority.sql'),
  ('0420_ocpi_partner_parties.sql'),
  ('0421_ocpi_token_owners.sql'),
  ('0422_users_by_email.sql'),
  ('0423_payments_in_other_currencies.sql'),
  ('0430_price_states.sql'),
  ('0431_minimum_balance.sql'),
  ('0432_held_for_reviews.sql'),
  ('0440_device_model_limit.sql'),
  ('0441_charger_registration.sql'),
  ('0442_trusted_certificates.sql'),
  ('0443_shown_costs.sql'),
  ('0450_minor_units_of_iso_4217.sql'),
  ('0451_sellers.sql'),
  ('0452_receipts.sql'),
  ('0470_typed_names.sql'),
  ('0480_limits_and_holds_of_remote_starts.sql'),
  ('0490_price_parts.sql'),
  ('0500_outbox.sql'),
  ('0501_event_triggers.sql'),
  ('0502_derived_columns.sql'),
  ('0503_fewer_triggers.sql'),
  ('0520_limit_checks.sql'),
  ('0530_public_events.sql'),
  ('0531_session_events.sql'),
  ('0532_record_events.sql'),
  ('0533_partner_changes.sql'),
  ('0540_outbox_retention.sql'),
  ('0550_webhooks.sql'),
  ('0560_alert_delivery.sql'),
  ('0570_exports.sql'),
  ('0580_browser_sessions.sql'),
  ('0590_charger_lists.sql'),
  ('0591_bulk_jobs.sql'),
  ('0593_saved_views.sql'),
  ('0600_sessions_by_transaction.sql'),
  ('0610_invoice_ids.sql'),
  ('0613_drivers_by_name.sql'),
  ('0616_audit_by_actor.sql'),
  ('0619_ocpi_handshakes.sql'),
  ('0641_replica_beats.sql'),
  ('0642_sealed_signing_keys.sql'),
  ('0644_reads_of_a_driver.sql'),
  ('0650_unknown_tokens.sql'),
  ('0651_audit_log_retention.sql'),
  ('0652_network_rate_limits.sql'),
  ('0653_personal_data_days.sql'),
  ('0655_withdrawn_objects.sql'),
  ('0656_partner_http_status.sql'),
  ('0660_ocpi_versions.sql'),
  ('0661_emaid_tokens.sql'),
  ('0662_emaid_tokens_valid.sql'),
  ('0665_signed_meter_values.sql'),
  ('0670_ocpi_hubs.sql'),
  ('0671_former_hubs.sql'),
  ('0672_invalid_partner_tokens.sql'),
  ('0673_blocked_drivers.sql'),
  ('0675_reserved_sessions.sql'),
  ('0676_reserved_sessions_valid.sql'),
  ('0680_ocpi_token_validity.sql'),
  ('0681_objects_of_hub_clients.sql'),
  ('0682_parking_places.sql'),
  ('0683_signature_rechecks.sql'),
  ('0684_handshake_token_time.sql'),
  ('0690_periodic_runs.sql'),
  ('0691_inactivity_notices.sql'),
  ('0692_partner_token_index.sql'),
  ('0693_cdrs_of_hub_clients.sql'),
  ('0694_open_reservations.sql'),
  ('0695_periodic_successes.sql'),
  ('0698_billed_reservations.sql'),
  ('0705_national_access_points.sql'),
  ('0706_feature_profiles.sql'),
  ('0710_session_meters.sql'),
  ('0711_local_offset.sql'),
  ('0715_verified_email.sql'),
  ('0716_partner_statements.sql'),
  ('0717_partner_statements_index.sql'),
  ('0718_refused_pushes.sql'),
  ('0719_refused_pushes_index.sql'),
  ('0720_waiting_log_rows.sql'),
  ('0730_causes_of_idempotent_requests.sql'),
  ('0731_queued_jobs.sql'),
  ('0740_rejected_connections.sql'),
  ('0750_team_roles.sql'),
  ('0751_team_roles_valid.sql'),
  ('0752_operator_password_resets.sql'),
  ('0760_custom_roles.sql'),
  ('0761_custom_roles_valid.sql'),
  ('0762_second_factors.sql'),
  ('0765_imports.sql'),
  ('0766_charging_url.sql'),
  ('0770_alert_channels.sql'),
  ('0771_alert_thresholds.sql'),
  ('0772_alert_resources_valid.sql'),
  ('0773_gateway_shard_reports.sql'),
  ('0775_unfinished_updates_index.sql'),
  ('0776_owing_wallets_index.sql'),
  ('0785_ocpp21.sql'),
  ('0786_ocpp21_valid.sql'),
  ('0810_station_transactions.sql'),
  ('0811_station_tariffs.sql'),
  ('0812_event_streams.sql'),
  ('0813_transaction_limits_index.sql'),
  ('0830_alert_channel_deliveries.sql'),
  ('0831_alert_channel_deliveries_valid.sql'),
  ('0832_alert_channel_deliveries_index.sql'),
  ('0833_failed_starts_index.sql'),
  ('0834_refused_starts_index.sql'),
  ('0835_api_process_reports.sql'),
  ('0836_import_unique_values.sql'),
  ('0837_import_unique_values_index.sql'),
  ('0840_load_sites.sql'),
  ('0841_load_conditions.sql'),
  ('0842_load_alerts_valid.sql'),
  ('0860_open_data_feeds.sql'),
  ('0861_availability_exclusions.sql'),
  ('0880_ocpp21_states.sql'),
  ('0881_unreported_chargers_index.sql'),
  ('0882_monitor_notification_types.sql');

select setval('outbox_position', 1);
