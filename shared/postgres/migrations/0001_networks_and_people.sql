-- Networks are the tenants. Networks and locations have an integer key and a uuid; the API shows both.
create table networks (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  slug text not null unique,
  name text not null,
  currency char(3) not null default 'EUR',
  time_zone text not null default 'UTC',
  country_code char(2) not null default 'NL',
  party_id char(3) not null default 'CWY',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);

create table locations (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer not null references networks (id),
  name text not null,
  address text not null,
  city text not null,
  postal_code text,
  country char(3) not null,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  time_zone text not null default 'UTC',
  -- Drivers see a charger only at a published location.
  is_published boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index on locations (network_id) where deleted_at is null;

create table users (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer not null references networks (id),
  email text not null,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index on users (network_id, lower(email)) where deleted_at is null;

-- What a charger is shown: a card, an app's identifier. Compared without regard to case (OCPP CiString, IdTokenType).
create table id_tokens (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer not null references networks (id),
  user_id integer references users (id),
  uid text not null check (length(uid) between 1 and 36),
  type text not null check (type in ('RFID', 'APP_USER', 'AD_HOC_USER', 'OTHER')),
  is_valid boolean not null default true,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index on id_tokens (network_id, lower(uid)) where deleted_at is null;
create index on id_tokens (user_id);

-- Money is bigint in minor units of the currency.
create table wallets (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  user_id integer not null references users (id),
  network_id integer not null references networks (id),
  currency char(3) not null,
  balance_minor bigint not null default 0 check (balance_minor >= 0),
  created_at timestamptz not null default now(),
  unique (user_id, network_id)
);

-- Every movement of a wallet is one row, written in the transaction of what caused it.
create table wallet_ledger (
  id bigint generated always as identity primary key,
  wallet_id integer not null references wallets (id),
  amount_minor bigint not null check (amount_minor <> 0),
  balance_after_minor bigint not null check (balance_after_minor >= 0),
  reason text not null,
  created_at timestamptz not null default now()
);
create index on wallet_ledger (wallet_id, id desc);

-- A key's secret is stored hashed (SHA-256 of 192 random bits) and shown once.
create table api_keys (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  api_family text not null check (api_family in ('cpms', 'emsp')),
  secret_hash bytea not null unique,
  key_prefix text not null,
  last4 text not null,
  name text,
  description text,
  key_type text not null default 'Private',
  -- True: first-party, every network. False: the networks of api_key_networks alone.
  unrestricted boolean not null default false,
  -- A driver's key: this user's records alone.
  user_id integer references users (id),
  scopes text[] not null default '{}',
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);

create table api_key_networks (
  api_key_id integer not null references api_keys (id) on delete cascade,
  network_id integer not null references networks (id),
  primary key (api_key_id, network_id)
);
