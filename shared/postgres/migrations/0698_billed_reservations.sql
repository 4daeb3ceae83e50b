-- no-transaction
-- The reservation of a session that bills one (0675).
create index concurrently if not exists reservations_billed on reservations (billed_session_id)
  where billed_session_id is not null;
