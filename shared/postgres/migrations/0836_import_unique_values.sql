-- Digest of a value that no two records have, apart from the natural key: a dry run reverts each row, and finds such rows by it.
alter table import_rows add unique_digest bytea;
