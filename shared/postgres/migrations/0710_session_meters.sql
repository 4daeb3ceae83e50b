-- Readings of a session (shared/domain/charging/session-meter.ts), in place of `register_count`, the count of its one register, which
-- the previous version writes. A later release drops that column.
alter table sessions add column meter jsonb;
