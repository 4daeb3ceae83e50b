-- The sessions of a network that ended in a quarter of an hour (UTC), in sums. Every time zone's days begin with one, so
-- the days of any zone can be put together. Written anew from session_facts whenever one of them changes.
create table session_rollup (
  network_id UInt32,
  slot DateTime('UTC') codec(DoubleDelta, ZSTD(1)),
  currency LowCardinality(String),
  version UInt64 codec(Delta, ZSTD(1)),
  sessions UInt64 codec(ZSTD(1)),
  -- Those that have a price.
  priced_sessions UInt64 codec(ZSTD(1)),
  duration_ms Int64 codec(ZSTD(1)),
  energy_milli_wh Int64 codec(ZSTD(1)),
  cost_excl_vat_minor Int64 codec(ZSTD(1)),
  cost_incl_vat_minor Int64 codec(ZSTD(1))
)
engine = ReplacingMergeTree(version)
partition by toYear(slot)
order by (network_id, slot, currency)
