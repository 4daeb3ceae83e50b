-- What roaming partners ask of chargers (OCPI 2.2.1 §13, §14): answered at once, done in the background, and the result told
-- to `response_url` later.
create table ocpi_commands (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  partner_id integer not null references ocpi_partners (id),
  -- CommandType, or what is asked of a charging profile.
  type text not null check (type in ('START_SESSION', 'STOP_SESSION', 'RESERVE_NOW', 'CANCEL_RESERVATION',
    'UNLOCK_CONNECTOR', 'GET_PROFILE', 'SET_PROFILE', 'CLEAR_PROFILE')),
  -- The partner's; null: the standard's form has none.
  command_id text check (length(command_id) between 1 and 64),
  -- Two requests with the same one are one command. Null: each stands for itself.
  repeat_key text,
  -- Null: the partner wants no result.
  response_url text check (length(response_url) <= 255),
  -- What is to be done; null: it was refused at once.
  task jsonb,
  -- Who asked: {"ipAddress", "requestId", "correlationId"}.
  asked jsonb not null,
  charger_id integer references chargers (id),
  -- The session that it is about.
  session_id bigint references sessions (id),
  -- The word that START_SESSION and RESERVE_NOW give for their token; its session is the one that they led to.
  authorization_id bigint references ocpi_authorizations (id) on delete set null,
  -- What RESERVE_NOW made.
  reservation_id bigint references reservations (id),
  -- Somebody else ended the reservation, and the partner is to be told; it asked for the end itself.
  is_cancellation_due boolean not null default false,
  is_own_cancellation boolean not null default false,
  -- The answer at once (CommandResponse), and OCPI's status code with it.
  answer text not null check (answer in ('ACCEPTED', 'NOT_SUPPORTED', 'REJECTED', 'UNKNOWN_SESSION', 'TOO_OFTEN')),
  answer_message text,
  answer_code integer not null,
  -- Not begun by then, it is not begun any more.
  begin_by timestamptz not null,
  begun_at timestamptz,
  -- CommandResult or ChargingProfileResult; `profile` with that of GET_PROFILE.
  result text,
  result_message text,
  profile jsonb,
  result_at timestamptz,
  told_at timestamptz,
  tell_attempts integer not null default 0,
  tell_error text,
  created_at timestamptz not null default now()
);
create unique index ocpi_commands_command_id_key on ocpi_commands (partner_id, command_id) where command_id is not null;
create index on ocpi_commands (partner_id, repeat_key, id) where repeat_key is not null;
create index on ocpi_commands (session_id, created_at) where session_id is not null;
create index on ocpi_commands (reservation_id) where reservation_id is not null;
create index on ocpi_commands (partner_id, lower(task ->> 'reservationRef'), id) where type = 'RESERVE_NOW';
create index on ocpi_commands (authorization_id) where authorization_id is not null;
create index on ocpi_commands (id) where is_cancellation_due;

create function ocpi_commands_follow_reservation() returns trigger language plpgsql as $$
begin
  update ocpi_commands set is_cancellation_due = true where reservation_id = new.id and not is_own_cancellation;
  return null;
end
$$;
create trigger ocpi_commands_follow after update on reservations
  for each row when (old.status = 'Active' and new.status in ('Cancelled', 'Removed'))
  execute function ocpi_commands_follow_reservation();

-- The charging profile that a partner gave a session of its own; from the first that the charger accepted on, the partner is
-- told whenever what applies may have changed (§14.4.2.4).
create table ocpi_profiles (
  session_id bigint primary key references sessions (id),
  -- OCPP's.
  profile_id integer not null,
  is_accepted boolean not null default false,
  changed_at timestamptz,
  pushed_at timestamptz
);
create index ocpi_profiles_changed on ocpi_profiles (session_id) where changed_at is distinct from pushed_at;

-- evse 0: the charger as a whole.
create function mark_ocpi_profiles(charger integer, evse integer) returns void language sql as $$
  update ocpi_profiles p set changed_at = clock_timestamp()
  from sessions s join connectors k on k.id = s.connector_id
  where s.charger_id = charger and s.status in ('ACTIVE', 'STOPPING') and evse in (0, k.evse_number)
    and p.session_id = s.id and p.is_accepted
$$;

create function ocpi_profiles_follow_charging_profiles() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform mark_ocpi_profiles(old.charger_id, old.evse); end if;
  if tg_op <> 'DELETE' then perform mark_ocpi_profiles(new.charger_id, new.evse); end if;
  return null;
end
$$;
create trigger ocpi_profiles_follow after insert or delete on charging_profiles
  for each row execute function ocpi_profiles_follow_charging_profiles();
create trigger ocpi_profiles_follow_change after update on charging_profiles
  for each row when (old.profile is distinct from new.profile)
  execute function ocpi_profiles_follow_charging_profiles();

-- A limit from beside us, of which the charger tells (2.0.1 K11, K13).
create function ocpi_profiles_follow_limits() returns trigger language plpgsql as $$
begin
  perform mark_ocpi_profiles(new.charger_id, coalesce((new.payload ->> 'evseId')::integer, 0));
  return null;
end
$$;
create trigger ocpi_profiles_follow_limit after insert on charger_notifications
  for each row when (new.action in ('NotifyChargingLimit', 'ClearedChargingLimit'))
  execute function ocpi_profiles_follow_limits();
