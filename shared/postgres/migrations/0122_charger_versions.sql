-- Counts the changes by operators (ETag); what chargers report of themselves does not count.
alter table chargers add version integer not null default 1;
alter table connectors add version integer not null default 1;

-- What a list of chargers is narrowed to.
create index on chargers (model_id) where deleted_at is null;
