-- Imports of CSV files. States and outcomes are in shared/domain/imports/import.ts.
create table imports (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer not null references networks (id),
  kind text not null,
  state text not null default 'RECEIVING' check (state in ('RECEIVING', 'UPLOADED', 'CHECKING', 'CHECKED', 'APPLYING',
    'COMPLETED', 'CANCELLED', 'STOPPED', 'EXPIRED')),
  file_name text not null,
  separator text not null,
  -- Names of the columns of the file, in their order.
  header jsonb not null,
  -- Column of the file for each column of the kind.
  mapping jsonb not null,
  total integer not null default 0,
  stop_reason text,
  -- Its authority is looked up again for each row.
  created_by_key_id integer references api_keys (id),
  created_by_operator_id integer references operators (id),
  creator_name text,
  ip_address text not null,
  created_at timestamptz not null default now(),
  state_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((created_by_key_id is null) <> (created_by_operator_id is null))
);
create index imports_in_progress on imports (id) where state in ('CHECKING', 'APPLYING');
create index imports_of_network on imports (network_id, id);
-- Imports whose rows are stored.
create index imports_with_rows on imports (state_at) where state <> 'EXPIRED';

create table import_rows (
  import_id integer not null references imports (id) on delete cascade,
  -- Line of the file on which the row begins.
  line integer not null,
  id bigint generated always as identity primary key,
  -- Cells as a JSON list, and a password that was generated for the record. Both may be secret.
  sealed_cells bytea not null,
  sealed_password bytea,
  sealing_key text not null,
  outcome text not null default 'pending' check (outcome in ('pending', 'created', 'changed', 'unchanged', 'failed')),
  -- Digest of the natural key.
  key_digest bytea,
  resource_uuid uuid,
  errors jsonb,
  unique (import_id, line)
);
create index import_rows_by_outcome on import_rows (import_id, outcome, line);
create index import_rows_by_key on import_rows (import_id, key_digest) where key_digest is not null;
create index import_rows_by_sealing_key on import_rows (sealing_key, id);
