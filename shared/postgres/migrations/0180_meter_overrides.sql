-- How the meters of a charger model say things in another way than the standard's. `overrides`: a list of
-- shared/domain/meter-override.ts.
create table meter_overrides (
  model_id integer primary key references charger_models (id),
  overrides jsonb not null,
  -- Counts the changes by operators (ETag).
  version integer not null default 1,
  updated_at timestamptz not null default now()
);

-- Which model a charger is of when an operator never said so, is found by what it says of itself.
create index charger_models_lower_name on charger_models (lower(model_name)) where deleted_at is null;

-- Announces that the overrides of some chargers changed, to the shards that keep them in memory.
create function announce_meter_overrides() returns trigger
language plpgsql as $$
begin
  perform pg_notify('meter_overrides_changed', '');
  return null;
end
$$;

create trigger meter_overrides_changed
  after insert or update or delete on meter_overrides
  for each statement execute function announce_meter_overrides();
create trigger meter_overrides_changed
  after update of model_name, manufacturer_id, deleted_at on charger_models
  for each statement execute function announce_meter_overrides();
create trigger meter_overrides_changed
  after update of name on manufacturers
  for each statement execute function announce_meter_overrides();
create trigger meter_overrides_changed
  after update of model_id on chargers
  for each row when (new.model_id is distinct from old.model_id) execute function announce_meter_overrides();
