-- A list of the invalid tokens of a partner skips its valid ones, which can be a million.
-- safe: it is built within a second for a million tokens, and partners repeat a token that was not answered
create index ocpi_tokens_invalid on ocpi_tokens (partner_id, id) where not is_valid;
