-- State of priority charging of a transaction (OCPP 2.1 K21, K22): the last one that the station accepted or reported. Null: none.
alter table station_transactions add column priority_charging boolean, add column priority_charging_at timestamptz;
-- Boot after which the device model of a charger of OCPP 2.1 was last requested. Null: never.
alter table chargers add column device_model_boot_at timestamptz;
