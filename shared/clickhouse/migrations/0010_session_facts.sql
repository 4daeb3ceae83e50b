-- One row per completed session, where it is counted: at its end. Repeats and changes of a session collapse to the
-- newest version; one that moved (its end was amended) or is no longer completed leaves a row that does not count.
create table session_facts (
  network_id UInt32,
  ended_at DateTime64(3, 'UTC') codec(DoubleDelta, ZSTD(1)),
  session_id UInt64 codec(Delta, ZSTD(1)),
  version UInt64 codec(Delta, ZSTD(1)),
  is_counted Bool,
  session_uuid UUID codec(ZSTD(1)),
  charger_id UInt32,
  connector_id UInt32,
  -- Of the charger when the fact was written. 0 in this and the next two: none.
  location_id UInt32,
  user_id UInt32,
  tariff_id UInt32,
  started_at DateTime64(3, 'UTC') codec(DoubleDelta, ZSTD(1)),
  duration_ms Int64 codec(ZSTD(1)),
  idle_ms Int64 codec(ZSTD(1)),
  -- The times between start and end that were not idle, in order: the nth begins at the nth of the first.
  charging_from Array(DateTime64(3, 'UTC')) codec(ZSTD(1)),
  charging_to Array(DateTime64(3, 'UTC')) codec(ZSTD(1)),
  -- Thousandths of a Wh: whole numbers have the same sum in any order.
  energy_milli_wh Int64 codec(ZSTD(1)),
  currency LowCardinality(String),
  -- Minor units; null: no tariff was assigned.
  cost_excl_vat_minor Nullable(Int64) codec(ZSTD(1)),
  cost_incl_vat_minor Nullable(Int64) codec(ZSTD(1)),
  -- Finds what ran at a time, whenever it ended.
  index by_start started_at type minmax granularity 1
)
engine = ReplacingMergeTree(version)
partition by toYYYYMM(ended_at)
order by (network_id, ended_at, session_id)
