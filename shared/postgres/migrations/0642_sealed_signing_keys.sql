-- Signing keys are sealed, as other secrets that are read again. Null: a key from before, in clear, until it is sealed.
alter table token_signing_keys add column sealing_key text;
