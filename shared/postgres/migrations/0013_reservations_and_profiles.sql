create table reservations (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  charger_id integer not null references chargers (id),
  -- OCPP's reservationId; a new reservation with the id of an old one replaces it.
  reservation_id integer not null,
  -- Null: any connector, or any of the EVSE.
  evse integer,
  connector integer,
  id_token text not null,
  group_id_token text,
  expires_at timestamptz not null,
  status text not null default 'Active' check (status in ('Active', 'Cancelled', 'Expired', 'Removed', 'Used')),
  status_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  unique (charger_id, reservation_id)
);
create index on reservations (charger_id) where status = 'Active';

-- Charging profiles that are installed at chargers: sent and accepted, or reported (ReportChargingProfiles).
create table charging_profiles (
  charger_id integer not null references chargers (id),
  -- 0: the charger as a whole. 1.6: the connectorId.
  evse integer not null,
  -- ChargingLimitSourceEnumType; CSO is who sends profiles through us.
  source text not null default 'CSO',
  profile_id integer not null,
  purpose text not null,
  stack_level integer not null,
  -- The profile as its OCPP version writes it.
  profile jsonb not null,
  reported_at timestamptz not null,
  primary key (charger_id, evse, source, profile_id)
);

-- What chargers told that has no table of its own, as they said it.
create table charger_notifications (
  id bigint generated always as identity primary key,
  charger_id integer not null references chargers (id),
  action text not null,
  request_id integer,
  seq_no integer,
  payload jsonb not null,
  received_at timestamptz not null
);
create index on charger_notifications (charger_id, action, id desc);
create index on charger_notifications (charger_id, id desc);
