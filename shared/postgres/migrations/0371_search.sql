-- Drivers and tokens are searched for by any part of what they are known by: from an index of the three letters that texts have in
-- a row. pg_trgm comes with PostgreSQL; whoever may create in the database may add it.
create extension if not exists pg_trgm;
alter table users add column search_text text not null generated always as (
  lower(email || ' ' || name || coalesce(' ' || phone, '') || coalesce(' ' || external_id, ''))
) stored;
create index users_searched on users using gin (search_text gin_trgm_ops) where deleted_at is null;
alter table id_tokens add column search_text text not null generated always as (
  lower(uid || coalesce(' ' || visual_number, '') || coalesce(' ' || contract_id, ''))
) stored;
create index id_tokens_searched on id_tokens using gin (search_text gin_trgm_ops);
-- New columns have no statistics.
analyze users;
analyze id_tokens;
