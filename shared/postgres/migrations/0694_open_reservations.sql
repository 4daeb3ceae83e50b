-- no-transaction
-- Reservations whose end is not in the session that bills them (0675). A job looks for them every second.
create index concurrently if not exists reservations_open on reservations (id) where is_open;
