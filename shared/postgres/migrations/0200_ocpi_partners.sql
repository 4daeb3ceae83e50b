-- Roaming partners: each knows us as one network, and sees nothing else.
create table ocpi_partners (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer not null references networks (id),
  name text not null,
  -- PENDING: it has a token to register with. REGISTERED: credentials were exchanged. SUSPENDED: by an operator.
  status text not null default 'PENDING' check (status in ('PENDING', 'REGISTERED', 'SUSPENDED')),
  -- Who it is: as its operator was told at first, as its credentials say once it is registered.
  country_code char(2),
  party_id char(3),
  roles jsonb not null default '[]',
  ocpi_version text check (ocpi_version in ('2.2', '2.2.1')),
  versions_url text,
  -- SHA-256 of the token that it shows us; a new one with each registration.
  token_hash bytea unique,
  -- The token that we show it. Every call carries it, so a hash would not do; it is never shown to anybody else.
  their_token text,
  write_scopes text[] not null default '{}',
  quirks jsonb not null default '{}',
  registered_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index on ocpi_partners (network_id, id) where deleted_at is null;
-- A party is one partner of a network.
create unique index ocpi_partners_party_key on ocpi_partners (network_id, country_code, party_id) where deleted_at is null;

-- Where a partner serves its modules, as found in the handshake.
create table ocpi_partner_endpoints (
  partner_id integer not null references ocpi_partners (id),
  identifier text not null,
  role text not null check (role in ('SENDER', 'RECEIVER')),
  url text not null,
  primary key (partner_id, identifier, role)
);
