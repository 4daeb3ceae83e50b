-- Firmware of a charger model. Its bytes are a file in FIRMWARE_DIR with the name of the uuid; once they are there, an
-- image never changes.
create table firmware_images (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  model_id integer not null references charger_models (id),
  version text not null,
  file_name text not null,
  release_notes text,
  -- Comma-separated: 1.6, 2.0.1.
  ocpp_version_support text not null,
  -- Makes its URL unguessable: chargers have no other way to prove that they may fetch it.
  download_token text not null,
  -- What the bytes must hash to (SHA-256, hex), where the operator said; after the upload: what they do hash to.
  checksum text check (checksum ~ '^[0-9a-f]{64}$'),
  size_bytes bigint check (size_bytes > 0),
  -- Null: its bytes are not there yet.
  uploaded_at timestamptz,
  released_at timestamptz not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  check (uploaded_at is null or (size_bytes is not null and checksum is not null))
);
create unique index firmware_images_version_key on firmware_images (model_id, version) where deleted_at is null;
