-- Minutes by which a charger that writes its local time without a zone is ahead of UTC (shared/domain/fleet/local-time.ts).
alter table chargers add column local_offset_minutes smallint not null default 0;
