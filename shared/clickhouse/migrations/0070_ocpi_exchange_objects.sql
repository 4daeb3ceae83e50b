-- Object that a request to a partner pushed, so that an operator can queue it again. '' and 0: the request pushed none.
alter table ocpi_exchanges add column if not exists object LowCardinality(String) default '', add column if not exists object_id UInt64 default 0
