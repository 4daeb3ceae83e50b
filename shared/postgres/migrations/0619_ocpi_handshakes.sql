-- A handshake with a partner that we began, or a renewal of our token, until it is stored as the partner's registration
-- (docs/adr/0067-handshakes-that-we-begin.md). Its tokens are sealed; the row disappears with them.
create table ocpi_handshakes (
  partner_id integer primary key references ocpi_partners (id),
  -- PREPARED: the partner's token is known. EXCHANGING: ours was sent. ANSWERED: the partner accepted and its answer is not
  -- stored as a registration yet. RENEWING: a new token of ours was sent to a registered partner.
  state text not null check (state in ('PREPARED', 'EXCHANGING', 'ANSWERED', 'RENEWING')),
  versions_url text not null,
  -- Identifies the key that sealed the secrets of this row.
  sealing_key text not null,
  -- Token that the partner gave for this handshake. Null in a renewal: the token of the registration is used.
  their_token bytea,
  -- Our token for the partner, kept so that a repeat sends the same; valid from before it is sent.
  our_token bytea,
  our_token_hash bytea unique,
  ocpi_version text check (ocpi_version in ('2.2', '2.2.1')),
  endpoints jsonb,
  -- Credentials that the partner answered with.
  answer bytea,
  attempts integer not null default 0,
  -- Run of the handshake that writes this row, until then.
  claim uuid,
  claimed_until timestamptz,
  -- Of the latest failed run.
  failed_step text,
  error_code text,
  error text,
  failed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
