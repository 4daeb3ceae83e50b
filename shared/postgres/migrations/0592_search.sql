-- The search of operators finds a session by the transaction id that its charger or the gateway gave it.
create index sessions_by_transaction on sessions (ocpp_transaction_id);
