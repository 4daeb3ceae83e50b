-- E-mails, written in the transaction of their cause. What was sent or given up is emptied: it may have held a token, and
-- is nobody's business any more.
create table mails (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer not null references networks (id),
  kind text not null,
  -- Null from the beginning: for nobody, and never sent.
  recipient text,
  subject text,
  body_text text,
  body_html text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  given_up_at timestamptz,
  -- What the mail server said to that.
  refusal text
);
create index on mails (created_at);
