-- Work that runs later, once over all processes. A transaction queues it with its cause.
create table queued_jobs (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  payload jsonb not null,
  -- Time of the next run. While a run is in progress, the time at which its process counts as dead.
  due_at timestamptz not null default now(),
  -- Number of runs that have begun.
  attempts integer not null default 0
);
create index queued_jobs_due on queued_jobs (name, due_at);

-- safe: no version that uses pg-boss was released
do $$
begin
  if to_regclass('jobs.job') is null then return; end if;
  insert into queued_jobs (id, name, payload, due_at, attempts)
  select id, name, data, case state when 'active' then now() + interval '2 minutes' else start_after end, retry_count
  from jobs.job where state::text in ('created', 'retry', 'active') and name not like '\_\_pgboss%';
  drop schema jobs cascade;
end $$;
