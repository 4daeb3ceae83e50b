-- What was said of the state of chargers and connectors, and when sockets opened and closed. A charger that repeats
-- itself is the same row: the sorting key is the identity of an event.
create table status_events (
  network_id UInt32,
  charger_id UInt32,
  time DateTime64(3, 'UTC') codec(DoubleDelta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') codec(DoubleDelta, ZSTD(1)),
  kind Enum8('status' = 1, 'connected' = 2, 'disconnected' = 3),
  -- 0 and 0: the charger as a whole.
  evse UInt16,
  connector UInt16,
  -- Empty for sockets.
  status LowCardinality(String),
  error_code LowCardinality(String),
  vendor_error_code String codec(ZSTD(1)),
  info String codec(ZSTD(1)),
  -- Of sockets; the nil uuid otherwise.
  connection_id UUID codec(ZSTD(1)),
  digest UInt64 materialized sipHash64(
    toString(kind), evse, connector, status, error_code, vendor_error_code, info, toString(connection_id)
  )
)
engine = ReplacingMergeTree(received_at)
partition by toYYYYMM(time)
order by (charger_id, time, digest)
