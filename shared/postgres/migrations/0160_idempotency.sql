-- Answers to requests that carried an Idempotency-Key, for a day. Neither the key nor the answer can be read from here:
-- the id and the fingerprint are digests, and the answer is encrypted with a key that comes from the caller's own.
create table idempotency_keys (
  -- SHA-256 over the caller and its key.
  id bytea primary key,
  -- Of the request: the same key with another request is an error.
  fingerprint bytea not null,
  -- The attempt that runs the request, and how long the others wait for it: its process may have died.
  attempt uuid not null,
  claimed_until timestamptz not null,
  -- Null while it runs.
  answer bytea,
  expires_at timestamptz not null
);
create index on idempotency_keys (expires_at);
