-- Whether drivers must verify their e-mail address before they log in.
alter table networks add column requires_verified_email boolean not null default false;
