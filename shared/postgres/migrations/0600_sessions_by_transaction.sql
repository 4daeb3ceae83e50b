-- Operators look sessions up by their transaction alone. The unique index begins with the charger.
create index sessions_of_transaction on sessions (ocpp_transaction_id);
