-- Operators list the chargers of a network by their uid. The other orders sort the chargers of the network: their columns change with messages
-- of chargers, and an index would make each of those changes more expensive.
create index chargers_by_name on chargers (network_id, lower(uid), id) where deleted_at is null;
-- Chargers are searched for by any part of their names, from an index of the three letters that texts have in a row.
create index chargers_searched on chargers using gin ((uid || ' ' || serial_number || ' ' || evse_id) gin_trgm_ops)
  where deleted_at is null;
analyze chargers;
