-- Every request between roaming partners and us, both ways, tokens masked. Read by partner, newest first.
create table ocpi_exchanges (
  network_id UInt32,
  partner_id UInt32,
  time DateTime64(3, 'UTC') codec(DoubleDelta, ZSTD(1)),
  id UUID codec(ZSTD(1)),
  -- in: the partner asked us.
  direction Enum8('in' = 1, 'out' = 2),
  module LowCardinality(String),
  method LowCardinality(String),
  url String codec(ZSTD(3)),
  -- 0: there was no answer.
  http_status UInt16,
  -- Of OCPI's envelope; 0: there was none.
  ocpi_status UInt16,
  latency_ms Float32 codec(ZSTD(1)),
  request_id String codec(ZSTD(1)),
  correlation_id String codec(ZSTD(1)),
  request String codec(ZSTD(3)),
  response String codec(ZSTD(3)),
  -- Why there was no answer.
  error String codec(ZSTD(1))
)
engine = MergeTree
partition by toDate(time)
order by (partner_id, time, id)
ttl toDateTime(time) + toIntervalDay(90)
settings ttl_only_drop_parts = 1
