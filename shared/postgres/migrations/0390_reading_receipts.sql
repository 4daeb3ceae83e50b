-- The first receipt of each reading whose time was replaced by it, since the charger's clock cannot be believed. A repeat of
-- the reading is stored with the same time, so that it is the same row in ClickHouse. Rows are removed after 30 days.
create table reading_receipts (
  charger_id integer not null references chargers (id) on delete cascade,
  -- A digest of the reading as the charger sent it, with its own time.
  identity uuid not null,
  received_at timestamptz not null,
  primary key (charger_id, identity)
);
create index reading_receipts_age on reading_receipts (received_at);
