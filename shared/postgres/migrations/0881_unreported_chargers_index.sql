-- no-transaction
create index concurrently if not exists chargers_unreported on chargers (id)
  where ocpp_version = '2.1' and deleted_at is null and last_boot_at is distinct from device_model_boot_at;
