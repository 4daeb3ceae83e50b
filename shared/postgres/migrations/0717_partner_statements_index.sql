-- no-transaction
create index concurrently if not exists sessions_stated on sessions (id) where partner_statement is not null and ended_at is null;
