-- What an operator tells of a driver. `version` counts the changes by operators (ETag).
alter table users
  add version integer not null default 1,
  add phone text,
  -- BCP 47: of e-mails and receipts; null: the network's.
  add language text,
  -- The driver's number in the operator's own books.
  add external_id text;
-- Of these a list is read by network, in the order in which they were made.
create index users_of_network on users (network_id, id) where deleted_at is null;

alter table id_tokens
  add version integer not null default 1,
  -- What is printed on the card.
  add visual_number text check (length(visual_number) between 1 and 64),
  add issuer text check (length(issuer) between 1 and 64),
  -- OCPI: names the contract of the driver; e.g. an eMA id.
  add contract_id text check (length(contract_id) between 1 and 36),
  -- OCPP: parentIdTag, groupIdToken. Tokens of one group may end each other's sessions.
  add group_id text check (length(group_id) between 1 and 36),
  -- OCPI 2.2.1 §12.4.5 WhitelistType: whether a charger may decide by itself.
  add whitelist text not null default 'ALLOWED' check (whitelist in ('ALWAYS', 'ALLOWED', 'ALLOWED_OFFLINE', 'NEVER')),
  -- Chargers may hold what is no longer so: they are to forget it. Taken back when none is left.
  add chargers_must_forget boolean not null default false,
  add forget_since timestamptz;
create index id_tokens_of_network on id_tokens (network_id, id);
create index id_tokens_to_forget on id_tokens (id) where chargers_must_forget;

-- The chargers that were told that a token is accepted: it may be in their authorization caches until they clear them.
create table id_token_caches (
  id_token_id integer not null references id_tokens (id),
  charger_id integer not null references chargers (id),
  told_at timestamptz not null default now(),
  primary key (id_token_id, charger_id)
);
create index on id_token_caches (charger_id);

-- The tokens of the list that a charger keeps for itself (SendLocalList), as we sent it.
create table local_list_entries (
  charger_id integer not null references chargers (id),
  id_token_id integer not null references id_tokens (id),
  -- Of what was known of the token then.
  read_at timestamptz not null,
  primary key (charger_id, id_token_id)
);
create index on local_list_entries (id_token_id);

-- When a charger is next told which tokens to forget; whoever moves `next_at` does it.
create table token_notices (
  charger_id integer primary key references chargers (id),
  attempts integer not null default 0,
  next_at timestamptz not null
);
-- Those that were invalidated for good too: a remote start with one is refused.
create index id_tokens_ever on id_tokens (network_id, lower(uid));
