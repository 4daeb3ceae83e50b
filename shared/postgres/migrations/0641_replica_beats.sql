-- Heartbeats of API processes, which measure the age of a read replica. Each process replaces its own row every second.
create table replica_beats (
  process_id uuid primary key,
  beat uuid not null,
  beaten_at timestamptz not null default now()
);
