-- Signed meter values of sessions, and the public keys of meters (docs/adr/0087-signed-meter-values.md).

-- First: gateways lock rows of sessions before those of chargers, and the keys below lock chargers.
alter table sessions
  add column signature_state text not null default 'NONE',
  -- Difference of the verified registers at end and start; null: not known.
  add column signed_energy_wh double precision;

-- One row for each key of a charger. CLAIMED: the charger sent it with a value, and nothing is verified with it. REGISTERED: an
-- operator entered it. REMOVED: values that it signed keep their state and refer to it.
create table meter_keys (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  charger_id integer not null references chargers (id),
  -- Null: it is the key of every connector.
  connector_id integer references connectors (id),
  -- SubjectPublicKeyInfo in DER, in upper-case hex.
  public_key text not null check (length(public_key) <= 1000),
  -- OpenSSL's name.
  curve text not null,
  status text not null check (status in ('CLAIMED', 'REGISTERED', 'REMOVED')),
  created_at timestamptz not null default now(),
  registered_at timestamptz check ((registered_at is null) = (status = 'CLAIMED')),
  removed_at timestamptz check ((removed_at is null) = (status <> 'REMOVED')),
  unique (charger_id, public_key)
);

-- Values as chargers sent them, without the encoding of the transport. Their number for each session is limited.
create table signed_meter_values (
  id bigint generated always as identity primary key,
  session_id bigint not null references sessions (id),
  nature text not null check (nature in ('START', 'INTERMEDIATE', 'END')),
  -- By the charger's clock, and ours.
  measured_at timestamptz not null,
  received_at timestamptz not null,
  format text not null,
  data text not null,
  encoding_method text,
  signing_method text,
  -- The key that came with the value, as sent.
  claimed_key text,
  state text not null check (state in ('UNVERIFIED', 'VERIFIED', 'INVALID', 'UNSUPPORTED')),
  -- Of a verified value: the key that signed it.
  meter_key_id bigint references meter_keys (id) check ((meter_key_id is not null) = (state = 'VERIFIED')),
  -- Registers in the value at start and end of the transaction, Wh, and their times by the meter's clock.
  start_wh double precision,
  end_wh double precision,
  start_at timestamptz,
  end_at timestamptz,
  -- Identifiers of meter and register, as JSON.
  register text,
  -- Number of the record among those of transactions.
  page bigint
);
-- A repeated value is the same row.
create unique index signed_meter_values_once on signed_meter_values (session_id, nature, md5(data));
-- A record proves one session of its charger.
create index signed_meter_values_data on signed_meter_values (md5(data));
