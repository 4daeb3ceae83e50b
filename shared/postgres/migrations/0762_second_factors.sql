-- Second factors of operators: authenticator apps (TOTP) and passkeys. A factor is pending until its first code or signature.
create table second_factors (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  operator_id integer not null references operators (id) on delete cascade,
  kind text not null check (kind in ('totp', 'passkey')),
  state text not null default 'pending' check (state in ('pending', 'active')),
  name text not null,
  -- Secret of an authenticator app, and the time step of the latest accepted code: a code is valid once.
  sealed_secret bytea,
  sealing_key text,
  last_step bigint,
  -- Passkey: the challenge while pending, the credential afterwards.
  challenge text,
  credential_id text unique,
  public_key bytea,
  sign_count bigint,
  transports text[],
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  check ((kind = 'totp') = (sealed_secret is not null) and (sealed_secret is null) = (sealing_key is null)),
  check (kind = 'totp' or (state = 'active') = (credential_id is not null and public_key is not null))
);
create index on second_factors (operator_id);

-- Recovery codes as SHA-256. A used code is deleted.
create table recovery_codes (
  operator_id integer not null references operators (id) on delete cascade,
  code_hash bytea not null,
  primary key (operator_id, code_hash)
);

-- Log-ins with the right password that wait for a second factor. The token is stored as SHA-256.
create table login_challenges (
  token_hash bytea primary key,
  operator_id integer not null references operators (id) on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'passed', 'failed')),
  wrong_answers integer not null default 0,
  -- Challenge for passkeys. Null: the operator has none.
  passkey_challenge text,
  expires_at timestamptz not null
);
create index on login_challenges (operator_id);
create index on login_challenges (expires_at);

alter table networks add column requires_second_factor boolean not null default false;
