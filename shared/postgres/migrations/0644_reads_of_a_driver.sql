-- The export of a driver's data reads these by the driver and by the uid of a token.
-- safe: a row for each start over the API, which are read within seconds
create index remote_starts_of_user on remote_starts (user_id) where user_id is not null;
-- safe: a row for each reservation, which are read within a second
create index reservations_of_token on reservations (lower(id_token));
