-- The indexes of all networks' sessions (0370) are for those who ask for all networks, and say `id > 0`, which is true of each. PostgreSQL took them for
-- sessions of a network that it did not know too, and read those of all others for one that has few.
drop index sessions_started;
create index sessions_started on sessions (started_at desc, id desc) where id > 0;
drop index sessions_ended;
create index sessions_ended on sessions (ended_at desc, id desc) where status = 'COMPLETED' and id > 0;
