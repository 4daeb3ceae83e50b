-- Time of the latest success of an hourly job; before its first one, that of its scheduling. Metrics show jobs that do not succeed, so a
-- migration that follows the removal of a job removes its row.
alter table periodic_runs add column succeeded_at timestamptz not null default now();
