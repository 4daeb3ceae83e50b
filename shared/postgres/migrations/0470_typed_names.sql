-- Names that people type: identities in any case, EVSE ids as they are printed (with any separators, or none).
create function printed_id(id text) returns text
language sql immutable strict parallel safe
return regexp_replace(upper(id), '[^A-Z0-9]', '', 'g');

create index chargers_lower_uid on chargers (lower(uid)) where deleted_at is null;
create index chargers_lower_serial_number on chargers (lower(serial_number)) where deleted_at is null;
create index chargers_printed_id on chargers (printed_id(evse_id)) where deleted_at is null;
create index evses_printed_id on evses (printed_id(evse_id)) where removed_at is null;
