-- Every frame between chargers and gateway, secrets masked. Read by charger, newest first. Partitions are days, so
-- that what is past its time (shared/clickhouse/retention.queries.ts sets it) goes as whole parts, without rewriting any.
create table ocpp_messages (
  network_id UInt32,
  charger_id UInt32,
  time DateTime64(3, 'UTC') codec(DoubleDelta, ZSTD(1)),
  -- Orders the frames of one shard and tells those of one millisecond apart.
  seq UInt64 codec(Delta, ZSTD(1)),
  -- As seen from the gateway.
  direction Enum8('in' = 1, 'out' = 2),
  -- The message type of OCPP-J; 0: text that is no frame.
  kind Enum8('broken' = 0, 'call' = 2, 'result' = 3, 'error' = 4),
  -- An answer carries the action of its call.
  action LowCardinality(String),
  message_id String codec(ZSTD(1)),
  error_code LowCardinality(String),
  -- Of an answer: from its call to it.
  latency_ms Nullable(Float32) codec(ZSTD(1)),
  ocpp_version LowCardinality(String),
  connection_id UUID codec(ZSTD(1)),
  payload String codec(ZSTD(3)),
  truncated Bool
)
engine = MergeTree
partition by toDate(time)
order by (charger_id, time, seq)
ttl toDateTime(time) + toIntervalDay(90)
settings ttl_only_drop_parts = 1
