-- The newest check of each running session that has a limit or is paid by a wallet. A session is checked again when it or the
-- balance of its wallet changed since, or at `next_at`. Without a row it is due at once: what a crash removes is checked again.
create unlogged table limit_checks (
  session_id bigint primary key,
  -- The transaction that wrote the version of the session that was read: any change of the session has another one.
  seen_version xid not null,
  wallet_id integer,
  available_minor bigint not null,
  held_minor bigint not null,
  next_at timestamptz not null
);
-- The index holds no time, so that a repeated check of a session writes no index.
alter table limit_checks set (fillfactor = 50);
