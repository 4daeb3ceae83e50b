-- What drivers log in with.
create table driver_accounts (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer not null references networks (id),
  -- Null: registered, and the address is not verified yet. Then who it is stands here and nowhere else: whoever registers
  -- with another's address makes no user, and takes none.
  user_id integer unique references users (id),
  email text,
  name text,
  phone text,
  language text,
  -- Argon2id in PHC form.
  password_hash text not null,
  last_login_at timestamptz,
  created_at timestamptz not null default now(),
  check ((user_id is null) = (email is not null) and (user_id is null) = (name is not null))
);
create index driver_accounts_unverified on driver_accounts (network_id, lower(email)) where user_id is null;
create index driver_accounts_to_expire on driver_accounts (created_at) where user_id is null;

-- As of operators (0111).
create table driver_sessions (
  id uuid primary key default gen_random_uuid(),
  account_id integer not null references driver_accounts (id) on delete cascade,
  ip_address inet,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index on driver_sessions (account_id);
create index on driver_sessions (expires_at);

create table driver_refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references driver_sessions (id) on delete cascade,
  used_at timestamptz
);
create index on driver_refresh_tokens (session_id);

-- What an e-mail carried and is good once, stored as SHA-256. One of neither account nor user opens nothing: it was made
-- so that a request about nobody takes as long as any other.
create table driver_mail_tokens (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('verify-email', 'reset-password')),
  account_id integer references driver_accounts (id) on delete cascade,
  user_id integer references users (id),
  -- Where it went: good while that is the user's address.
  email text,
  expires_at timestamptz not null,
  check (account_id is null or user_id is null)
);
create index on driver_mail_tokens (account_id) where account_id is not null;
create index on driver_mail_tokens (user_id) where user_id is not null;
create index on driver_mail_tokens (expires_at);
