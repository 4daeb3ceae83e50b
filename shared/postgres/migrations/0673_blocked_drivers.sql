-- A blocked driver cannot sign in, and none of its tokens starts a session.
alter table users add is_blocked boolean not null default false;

-- Copied from the driver, because a charger's start reads the token alone.
alter table id_tokens add is_driver_blocked boolean not null default false;
