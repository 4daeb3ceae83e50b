-- A driver who logs in without a network is looked up in all of them.
create index users_by_email on users (lower(email)) where deleted_at is null;
