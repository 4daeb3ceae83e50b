-- The outbox in PostgreSQL is emptied when these are stored: they are flushed to the disk first, as readings are.
alter table session_facts modify setting fsync_after_insert = 1, fsync_part_directory = 1
