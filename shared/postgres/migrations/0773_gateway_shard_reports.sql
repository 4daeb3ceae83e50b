-- Latest figures of each gateway thread, for the state of the installation. A thread that ends in order deletes its row.
create table gateway_shard_reports (
  -- Name of the thread on the bus.
  node text primary key,
  -- Process that it belongs to: machine and process id.
  gateway text not null,
  shard integer not null,
  version text not null,
  started_at timestamptz not null,
  reported_at timestamptz not null default now(),
  figures jsonb not null
);
