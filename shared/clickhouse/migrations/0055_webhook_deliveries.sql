-- Every attempt to deliver an event to a webhook. Read by endpoint, newest first.
create table webhook_deliveries (
  network_id UInt32,
  endpoint_id UInt32,
  time DateTime64(3, 'UTC') codec(DoubleDelta, ZSTD(1)),
  id UUID codec(ZSTD(1)),
  -- 0: a test.
  event_id UInt64 codec(Delta, ZSTD(1)),
  type LowCardinality(String),
  try_number UInt16,
  outcome LowCardinality(String),
  -- 0: there was no answer.
  http_status UInt16,
  duration_ms Float32 codec(ZSTD(1)),
  -- Beginning of the answer's body, secrets masked.
  answer String codec(ZSTD(3)),
  error String codec(ZSTD(1))
)
engine = MergeTree
partition by toDate(time)
order by (endpoint_id, time, id)
ttl toDateTime(time) + toIntervalDay(30)
settings ttl_only_drop_parts = 1
