-- Validity of our token for a roaming partner (docs/adr/0067-handshakes-that-we-begin.md). Null: without end.
alter table ocpi_partners
  add token_valid_days integer check (token_valid_days between 1 and 3650),
  -- End of the token in token_hash, whether the partner registered with it or is to. Null: none.
  add token_expires_at timestamptz,
  -- Latest renewal that the job began, and why it failed. Null: none since the latest exchange of tokens.
  add token_renewal_at timestamptz,
  add token_renewal_error text;
