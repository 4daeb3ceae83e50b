-- The people who run networks. `version` counts the changes by operators (ETag).
create table operators (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  email text check (length(email) <= 254),
  name text not null,
  -- Argon2id in PHC form; null: an external account.
  password_hash text,
  -- Of an external account: the OpenID Connect issuer and what that calls it.
  issuer text,
  subject text,
  role text not null check (role in ('Owner', 'Admin', 'Manager', 'Viewer')),
  -- True: every network. False: those of operator_networks alone.
  unrestricted boolean not null default false,
  is_disabled boolean not null default false,
  last_login_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  check ((issuer is null) = (subject is null)),
  -- An account of ours has an address to log in with and a password, an external one has neither of ours.
  check ((issuer is null) = (password_hash is not null)),
  check (issuer is not null or email is not null)
);
create unique index operators_email_key on operators (lower(email)) where deleted_at is null and issuer is null;
create unique index operators_subject_key on operators (issuer, subject) where deleted_at is null;

create table operator_networks (
  operator_id integer not null references operators (id) on delete cascade,
  network_id integer not null references networks (id),
  primary key (operator_id, network_id)
);
create index on operator_networks (network_id);

-- From a login until its end, a logout or a stolen refresh token.
create table operator_sessions (
  id uuid primary key default gen_random_uuid(),
  operator_id integer not null references operators (id) on delete cascade,
  ip_address inet,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index on operator_sessions (operator_id);
create index on operator_sessions (expires_at);

-- Each renews a session once; one that comes twice was copied, and ends the session (RFC 9700 §4.14.2). Stored as SHA-256.
create table operator_refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references operator_sessions (id) on delete cascade,
  used_at timestamptz
);
create index on operator_refresh_tokens (session_id);

-- What access tokens are signed with (HMAC-SHA-256), by the name in their header. A new one is made as the newest gets old.
create table token_signing_keys (
  kid uuid primary key default gen_random_uuid(),
  secret bytea not null,
  created_at timestamptz not null default now()
);
