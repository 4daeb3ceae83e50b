-- no-transaction
create index concurrently if not exists import_rows_by_unique on import_rows (import_id, unique_digest) where unique_digest is not null;
