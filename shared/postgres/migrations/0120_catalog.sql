-- The catalog of manufacturers and charger models as operators keep it; `version` counts their changes (ETag).
alter table manufacturers
  add website text,
  add support_email text,
  add support_phone text,
  add version integer not null default 1,
  add updated_at timestamptz not null default now(),
  add deleted_at timestamptz;
alter table manufacturers drop constraint manufacturers_name_key;
create unique index manufacturers_name_key on manufacturers (lower(name)) where deleted_at is null;

alter table charger_models
  add number_of_connectors integer check (number_of_connectors > 0),
  add supported_connector_types text,
  add supported_features text,
  add image_url text,
  add datasheet_url text,
  add version integer not null default 1,
  add deleted_at timestamptz;
alter table charger_models drop constraint charger_models_manufacturer_id_model_name_key;
create unique index charger_models_name_key on charger_models (manufacturer_id, lower(model_name))
  where deleted_at is null;
