-- Sessions of browsers. The cookie has a random token, stored as SHA-256. A session acts as its operator or as its API key.
create table browser_sessions (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique,
  operator_id integer references operators (id) on delete cascade,
  api_key_id integer references api_keys (id) on delete cascade,
  method text not null check (method in ('password', 'apiKey', 'oidc')),
  ip_address inet,
  user_agent text,
  created_at timestamptz not null default now(),
  -- Written at most once a minute.
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  check (num_nonnulls(operator_id, api_key_id) = 1),
  check ((method = 'apiKey') = (api_key_id is not null))
);
create index on browser_sessions (operator_id) where operator_id is not null;
create index on browser_sessions (api_key_id) where api_key_id is not null;
create index on browser_sessions (expires_at);
