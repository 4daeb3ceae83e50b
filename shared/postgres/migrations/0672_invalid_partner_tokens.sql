-- no-transaction
-- A list of the invalid tokens of a partner skips its valid ones, which can be a million.
create index concurrently if not exists ocpi_tokens_invalid on ocpi_tokens (partner_id, id) where not is_valid;
