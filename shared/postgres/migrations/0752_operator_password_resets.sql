-- Tokens of e-mails with which operators choose a new password, as SHA-256.
create table operator_password_resets (
  token_hash bytea primary key,
  -- Null: no account has the address. The row is stored all the same, so that the request takes as long.
  operator_id integer references operators (id) on delete cascade,
  -- Address that the token was sent to: a token does not outlive a change of it.
  email text,
  language text,
  expires_at timestamptz not null
);
create index on operator_password_resets (operator_id);
create index on operator_password_resets (expires_at);
