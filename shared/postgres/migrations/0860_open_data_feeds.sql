-- Open data that a network publishes about its locations (docs/open-data.md).
create table open_data_feeds (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer not null references networks (id),
  format text not null
    check (format in ('geojson', 'summary', 'irve-static', 'irve-dynamic', 'datex-table', 'datex-status')),
  -- Ids of locations. Null: all published locations of the network.
  location_ids integer[],
  is_enabled boolean not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (network_id, format)
);
