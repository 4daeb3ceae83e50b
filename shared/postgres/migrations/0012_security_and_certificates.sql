create table security_events (
  id bigint generated always as identity primary key,
  charger_id integer not null references chargers (id),
  type text not null,
  tech_info text,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  time_flag text
);
-- The same event said again is the same row.
create unique index on security_events (charger_id, occurred_at, md5(type || ' ' || coalesce(tech_info, '')));

-- Certificates that chargers asked to be signed (SignCertificate), and what became of it.
create table certificate_requests (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  charger_id integer not null references chargers (id),
  -- CertificateSigningUseEnumType; null: the charger uses it for everything (2.0.1), or speaks 1.6.
  certificate_type text,
  csr text not null,
  csr_digest bytea not null,
  -- Rejected: the request was bad. Signed: the chain is here. Installed, Refused: the charger's answer to it.
  status text not null check (status in ('Rejected', 'Pending', 'Signed', 'Installed', 'Refused')),
  reason text,
  -- PEM, the leaf first.
  chain text,
  requested_at timestamptz not null,
  status_at timestamptz not null,
  -- The same request again is the same row.
  unique (charger_id, csr_digest)
);

-- Certificates that a charger is known to hold; the hash data (CertificateHashDataType) names them to it.
create table charger_certificates (
  id bigint generated always as identity primary key,
  charger_id integer not null references chargers (id),
  -- InstallCertificateUseEnumType of its version, or ChargingStationCertificate and V2GCertificate.
  certificate_type text not null,
  pem text not null,
  hash_algorithm text not null,
  issuer_name_hash text not null,
  issuer_key_hash text not null,
  serial_number text not null,
  installed_at timestamptz not null,
  deleted_at timestamptz
);
create unique index on charger_certificates (charger_id, certificate_type, serial_number, issuer_key_hash)
  where deleted_at is null;
