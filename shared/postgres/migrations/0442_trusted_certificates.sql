-- Certificate authorities that a network trusts for contract certificates (ISO 15118 Plug and Charge): V2G and mobility
-- operator roots, and sub-CAs that issue contract certificates.
create table trusted_certificates (
  id integer primary key generated always as identity,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer not null references networks (id),
  pem text not null,
  subject text not null,
  valid_from timestamptz not null,
  valid_to timestamptz not null,
  fingerprint256 text not null,
  created_at timestamptz not null default now(),
  constraint trusted_certificates_once unique (network_id, fingerprint256)
);
