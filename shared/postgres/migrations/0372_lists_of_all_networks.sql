-- The indexes of all networks' sessions (0370) are for those who see all networks, and say `id > 0`, which is true of each session. PostgreSQL took
-- them for sessions of a network that it did not know too, and read those of all others for one that has few. The old ones go
-- last: until then only those who write sessions wait, unless an earlier migration of the same start holds the table. A
-- database that had 0370 in its first form has only one of them.
create index sessions_of_all_started on sessions (started_at desc, id desc) where id > 0;
create index sessions_of_all_ended on sessions (ended_at desc, id desc) where status = 'COMPLETED' and id > 0;
drop index if exists sessions_started, sessions_ended;
