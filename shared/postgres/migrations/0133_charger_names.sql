-- A driver may type what stands on the charger.
create index chargers_serial_number on chargers (serial_number) where deleted_at is null;
