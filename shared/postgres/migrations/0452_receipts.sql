-- The last receipt number that a network gave in a year; counted in the transaction that issues the receipt: no gaps.
create table receipt_counters (
  network_id integer not null references networks (id),
  year integer not null,
  last_number integer not null check (last_number > 0),
  primary key (network_id, year)
);

-- Receipts that were issued: one for each version of a session that somebody asked the receipt of.
create table receipts (
  id bigint generated always as identity primary key,
  network_id integer not null references networks (id),
  session_id bigint not null references sessions (id),
  -- A correction of the session makes a new version, whose receipt replaces the one before.
  session_version integer not null,
  -- R-YYYY-000001: the year in the network's time zone, and the count in it.
  number text not null,
  issued_at timestamptz not null,
  unique (network_id, number),
  unique (session_id, session_version)
);
create trigger receipts_are_append_only before update or delete or truncate on receipts
  for each statement execute function forbid_change();
