-- no-transaction
-- The supported limits are read at the events of a transaction.
create index concurrently if not exists device_variables_tx_ctrlr on device_variables (charger_id) where lower(component) = 'txctrlr';
