-- One wide row per reading. The sorting key is the identity of a reading: a repeat of the same one (the same
-- charger, session, time, connector, context and values) collapses, whatever message it came in.
-- It begins with charger and session, so a session's readings lie together, in order.
create table meter_samples (
  network_id UInt32,
  charger_id UInt32,
  evse UInt16,
  connector UInt16,
  -- The nil uuid: read while nothing was charging.
  session_id UUID,
  time DateTime64(3, 'UTC') codec(DoubleDelta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') codec(DoubleDelta, ZSTD(1)),
  context LowCardinality(String),
  energy_wh Nullable(Float64) codec(Gorilla, ZSTD(1)),
  power_w Nullable(Float64) codec(Gorilla, ZSTD(1)),
  current_a Nullable(Float64) codec(Gorilla, ZSTD(1)),
  voltage_v Nullable(Float64) codec(Gorilla, ZSTD(1)),
  soc_percent Nullable(Float64) codec(Gorilla, ZSTD(1)),
  temperature_c Nullable(Float64) codec(Gorilla, ZSTD(1)),
  -- What has no column of its own, as sent: `Measurand@Location.Phase Unit` to value.
  extra Map(LowCardinality(String), String) codec(ZSTD(3)),
  flags Array(LowCardinality(String)) codec(ZSTD(1)),
  -- Two different readings of one instant stay two: some chargers spread measurands over several messages.
  digest UInt64 materialized sipHash64(
    ifNull(toString(energy_wh), ''), ifNull(toString(power_w), ''), ifNull(toString(current_a), ''), ifNull(toString(voltage_v), ''),
    ifNull(toString(soc_percent), ''), ifNull(toString(temperature_c), ''), toString(extra)
  )
)
engine = ReplacingMergeTree(received_at)
partition by toYYYYMM(time)
order by (charger_id, session_id, time, evse, connector, context, digest)
-- A session's readings are read by themselves: a quarter of the usual granule has less of others' among them.
settings index_granularity = 2048
