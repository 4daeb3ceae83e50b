-- remote_starts_failed (0833) has the refused starts too.
drop index if exists remote_starts_refused;
