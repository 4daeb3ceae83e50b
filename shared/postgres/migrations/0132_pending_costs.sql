-- Sessions that have ended and whose price waits for their readings.
create index sessions_cost_pending on sessions (id) where flags @> '{cost-pending}';
