-- Latest report of each API process, for the state of the installation. A process that ends in order deletes its row.
create table api_process_reports (
  -- Machine and process id.
  name text primary key,
  version text not null,
  node_version text not null,
  started_at timestamptz not null,
  reported_at timestamptz not null default now()
);
