-- E-mails to inactive drivers that announce their deletion. A driver who is active again has none. The record of an e-mail goes after
-- 30 days, the notice stays.
create table inactivity_notices (
  user_id integer primary key references users (id),
  mail_id integer not null,
  sent_at timestamptz not null default now()
);
