-- no-transaction
create index concurrently if not exists alert_channel_notices_of_channel on alert_channel_notices (channel_id, id);
