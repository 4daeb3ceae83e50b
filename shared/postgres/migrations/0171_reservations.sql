-- OCPP's names of reservations and charging profiles: integers of 32 bits, for each charger its own would do.
create sequence ocpp_reservation_id as integer start 1 cycle;
create sequence ocpp_charging_profile_id as integer start 1 cycle;

-- The session that used a reservation, as its charger said.
alter table reservations add session_id bigint references sessions (id);
create index on reservations (expires_at) where status = 'Active';
create index on reservations (charger_id, id desc);
