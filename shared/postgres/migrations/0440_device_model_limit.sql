-- The first time that a charger reported more of its device model than is stored; null: all of it is.
alter table chargers add column device_model_cut_at timestamptz;
