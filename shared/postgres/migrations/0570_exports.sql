-- Exports of sessions, charge detail records and meter readings to files. A worker makes one part after another: who comes after a
-- killed one goes on at the part that has no file. States are in shared/domain/reporting/export.ts.
create table exports (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  -- The networks that its creator could read. Only who may read all of them sees the export.
  network_ids integer[] not null check (cardinality(network_ids) > 0),
  dataset text not null check (dataset in ('sessions', 'cdrs', 'meter-values')),
  format text not null check (format in ('parquet', 'csv')),
  range_by text not null check (range_by in ('occurred', 'updated')),
  -- The end is exclusive.
  range_from timestamptz not null,
  range_to timestamptz not null check (range_to > range_from),
  state text not null default 'QUEUED' check (state in ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'EXPIRED')),
  failure text check ((failure is null) or state in ('FAILED', 'EXPIRED')),
  created_by uuid not null,
  created_by_name text,
  created_at timestamptz not null default now(),
  -- Null: not divided into parts.
  started_at timestamptz,
  -- Null: queued or running.
  ended_at timestamptz,
  -- The files are removed then. Null: queued or running.
  expires_at timestamptz,
  -- The worker that holds it, until this time unless it extends it.
  worker uuid,
  leased_until timestamptz,
  -- Claims since the last part was stored: a part that kills its worker does not do so for ever.
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now()
);
create index exports_unfinished on exports (id) where state in ('QUEUED', 'RUNNING');
create index exports_expiry on exports (expires_at) where state in ('COMPLETED', 'FAILED');
create index on exports (created_at desc, id desc);
create index on exports using gin (network_ids);

create table export_parts (
  export_id bigint not null references exports (id) on delete cascade,
  -- From 1.
  number integer not null check (number > 0),
  range_from timestamptz not null,
  range_to timestamptz not null,
  -- Null in this and the next: no file, it is to be made or has expired.
  file_name text,
  stored_at timestamptz,
  rows bigint,
  size_bytes bigint,
  -- Hexadecimal.
  sha256 text,
  primary key (export_id, number)
);

create index cdrs_of_network on cdrs (network_id, created_at, id);
