-- What was asked of a charger and accepted by it.
alter table chargers
  -- Passwords that the charger was told and has not come back with yet: as good as the present one until it does.
  add pending_password_hashes bytea[] not null default '{}',
  -- Of the list of tokens that the charger keeps for itself (SendLocalList); null: none was sent.
  add local_list_version integer,
  add local_list_sent_at timestamptz,
  add wanted_availability text not null default 'Operative'
    check (wanted_availability in ('Operative', 'Inoperative'));
alter table connectors
  add wanted_availability text not null default 'Operative'
    check (wanted_availability in ('Operative', 'Inoperative'));

-- Sessions that were asked for from afar. pending: the charger accepted, or has not answered yet.
create table remote_starts (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  charger_id integer not null references chargers (id),
  id_token text not null,
  -- Null: wherever the charger likes.
  evse integer,
  -- Null: 1.6 has none.
  remote_start_id integer,
  status text not null default 'pending' check (status in ('pending', 'started', 'expired', 'refused')),
  session_id bigint references sessions (id),
  requested_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check ((status = 'started') = (session_id is not null))
);
create index on remote_starts (charger_id, id desc);
create index on remote_starts (expires_at) where status = 'pending';
