-- Views of lists that a key or an operator saved, for itself or for the callers of a network.
create table saved_views (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  -- Null: its owner alone sees it.
  network_id integer references networks (id),
  owner_key_id integer references api_keys (id),
  owner_operator_id integer references operators (id),
  owner_name text,
  name text not null check (length(name) between 1 and 100),
  page text not null,
  query jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((owner_key_id is null) <> (owner_operator_id is null))
);
create index on saved_views (owner_key_id, id) where owner_key_id is not null;
create index on saved_views (owner_operator_id, id) where owner_operator_id is not null;
create index on saved_views (network_id, id) where network_id is not null;
