-- Time at which our token of a handshake was made: token_valid_days of the partner counts from it. Null: there is none, or a process of
-- the previous version made it, and the token is as old as the handshake.
alter table ocpi_handshakes add our_token_at timestamptz;
