-- Commands to many chargers. States and outcomes are those of shared/domain/commands/bulk-job.ts.
create table bulk_jobs (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  -- The networks of its chargers. Callers that may read all of them see it.
  network_ids integer[] not null,
  action text not null,
  -- As it is shown, with secrets masked; and sealed, as it is sent.
  parameters jsonb not null,
  sealed_parameters bytea not null,
  sealing_key text not null,
  total integer not null,
  concurrency integer not null check (concurrency > 0),
  stop_after_failures integer check (stop_after_failures > 0),
  state text not null default 'QUEUED' check (state in ('QUEUED', 'RUNNING', 'COMPLETED', 'CANCELLED', 'STOPPED')),
  stop_reason text,
  -- Its authority is looked up again for each charger.
  created_by_key_id integer references api_keys (id),
  created_by_operator_id integer references operators (id),
  creator_name text,
  ip_address text not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  check ((created_by_key_id is null) <> (created_by_operator_id is null))
);
create index bulk_jobs_unfinished on bulk_jobs (id) where state in ('QUEUED', 'RUNNING');

create table bulk_job_items (
  id bigint generated always as identity primary key,
  job_id bigint not null references bulk_jobs (id) on delete cascade,
  charger_id integer not null references chargers (id),
  outcome text not null default 'queued' check (outcome in ('queued', 'running', 'accepted', 'rejected', 'failed', 'timed-out',
    'offline', 'skipped', 'cancelled', 'unknown')),
  started_at timestamptz,
  ended_at timestamptz,
  -- Status of the charger's answer; code and message of an error.
  answer text,
  error_code text,
  message text,
  unique (job_id, charger_id)
);
create index bulk_job_items_by_outcome on bulk_job_items (job_id, outcome, id);
create index bulk_job_items_running on bulk_job_items (started_at) where outcome = 'running';
