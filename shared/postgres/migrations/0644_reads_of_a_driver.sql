-- The export of a driver's data reads these by the driver and by the uid of a token.
create index remote_starts_of_user on remote_starts (user_id) where user_id is not null;
create index reservations_of_token on reservations (lower(id_token));
