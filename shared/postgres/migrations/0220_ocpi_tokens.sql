-- The tokens of roaming partners, as they told us (OCPI 2.2.1 §12.3.2). They are the partners' own: operators see and edit
-- those of their networks alone (id_tokens), which go first at a charger.
create table ocpi_tokens (
  id bigint generated always as identity primary key,
  partner_id integer not null references ocpi_partners (id),
  country_code char(2) not null,
  party_id char(3) not null,
  uid text not null check (length(uid) between 1 and 36),
  type text not null check (type in ('RFID', 'APP_USER', 'AD_HOC_USER', 'OTHER')),
  contract_id text not null,
  visual_number text,
  issuer text not null,
  group_id text,
  is_valid boolean not null,
  whitelist text not null check (whitelist in ('ALWAYS', 'ALLOWED', 'ALLOWED_OFFLINE', 'NEVER')),
  language text,
  default_profile_type text,
  -- {"supplier_name": ..., "contract_id": ...}
  energy_contract jsonb,
  -- By the partner's clock: an older word changes nothing.
  last_updated timestamptz not null,
  created_at timestamptz not null default now()
);
-- CiStrings: compared without regard to case.
create unique index ocpi_tokens_key on ocpi_tokens (partner_id, country_code, party_id, lower(uid), type);
create index ocpi_tokens_at_charger on ocpi_tokens (lower(uid));
create index ocpi_tokens_of_partner on ocpi_tokens (partner_id, id);

-- A partner's word that a token may charge at a charger: by real-time authorization (§12.4.1), or by a command that names
-- the token, which is never asked about again. Its start takes it on.
create table ocpi_authorizations (
  id bigint generated always as identity primary key,
  partner_id integer not null references ocpi_partners (id),
  charger_id integer not null references chargers (id),
  token_uid text not null,
  -- {"country_code", "party_id", "uid", "type", "contract_id"}: OCPI's CdrToken, kept with the session and its CDR.
  token jsonb not null,
  auth_method text not null check (auth_method in ('AUTH_REQUEST', 'COMMAND')),
  authorization_reference text,
  -- Of the token: whose group may end the session. Null: it has none.
  group_id text,
  given_at timestamptz not null default now(),
  expires_at timestamptz not null,
  session_id bigint references sessions (id)
);
create index on ocpi_authorizations (charger_id, lower(token_uid), id);
create index on ocpi_authorizations (expires_at);
create index on ocpi_authorizations (session_id) where session_id is not null;

-- When a partner's tokens are next read from it, and what was read.
create table ocpi_token_pulls (
  partner_id integer primary key references ocpi_partners (id),
  -- Of the registration that was read last: a newer one is read anew, and whole.
  registered_at timestamptz,
  -- What the partner changed before is here.
  read_until timestamptz,
  next_at timestamptz not null default now(),
  attempts integer not null default 0,
  last_error text
);
