-- Time of the next run of each hourly job of the API processes, so that restarts do not postpone it. One process takes a run.
create table periodic_runs (
  name text primary key,
  due_at timestamptz not null
);
