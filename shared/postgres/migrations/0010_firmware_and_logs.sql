-- What chargers were asked to install or, as local controllers, to publish (2.0.1 L), and how far it got.
create table firmware_updates (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  charger_id integer not null references chargers (id),
  kind text not null default 'Update' check (kind in ('Update', 'Publish')),
  -- OCPP 1.6's UpdateFirmware has none.
  request_id integer,
  location text not null,
  firmware_version text,
  retrieve_at timestamptz,
  install_at timestamptz,
  -- The charger's own last word (FirmwareStatusEnumType, PublishFirmwareStatusEnumType); before it: Requested.
  status text not null default 'Requested',
  status_at timestamptz not null default now(),
  -- Null while it goes on. A failed one may go on after all: chargers retry.
  outcome text check (outcome in ('succeeded', 'failed')),
  closed_at timestamptz,
  created_at timestamptz not null default now()
);
create index on firmware_updates (charger_id, id desc);

-- Every status that was reported; update_id is null where we asked for none.
create table firmware_update_statuses (
  id bigint generated always as identity primary key,
  charger_id integer not null references chargers (id),
  update_id bigint references firmware_updates (id),
  kind text not null,
  request_id integer,
  status text not null,
  received_at timestamptz not null
);
create index on firmware_update_statuses (charger_id, id desc);
create index on firmware_update_statuses (update_id);

-- Logs that chargers were asked to upload. 1.6 has diagnostics besides the logs of its security extension.
create table log_uploads (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  charger_id integer not null references chargers (id),
  kind text not null check (kind in ('Diagnostics', 'Log')),
  -- LogEnumType of GetLog: DiagnosticsLog or SecurityLog.
  log_type text,
  request_id integer,
  location text not null,
  file_name text,
  oldest_at timestamptz,
  latest_at timestamptz,
  status text not null default 'Requested',
  status_at timestamptz not null default now(),
  outcome text check (outcome in ('succeeded', 'failed')),
  closed_at timestamptz,
  created_at timestamptz not null default now()
);
create index on log_uploads (charger_id, id desc);

create table log_upload_statuses (
  id bigint generated always as identity primary key,
  charger_id integer not null references chargers (id),
  update_id bigint references log_uploads (id),
  kind text not null,
  request_id integer,
  status text not null,
  received_at timestamptz not null
);
create index on log_upload_statuses (charger_id, id desc);
create index on log_upload_statuses (update_id);
