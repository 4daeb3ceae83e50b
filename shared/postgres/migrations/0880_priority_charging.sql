-- State of priority charging of a transaction (OCPP 2.1 K21, K22): the last one that the station accepted or reported. Null: none.
alter table station_transactions add column priority_charging boolean, add column priority_charging_at timestamptz;
-- Time at which a charger of OCPP 2.1 was last asked for its device model, after its boot.
alter table chargers add column device_model_requested_at timestamptz;
