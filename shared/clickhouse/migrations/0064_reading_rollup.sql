-- The readings of a connector within a quarter of an hour, and within two hours (UTC). Written again from meter_samples for a whole day, when the day is
-- over and whenever a reading of it comes late, so that repeats of readings count once.
create table reading_rollup (
  network_id UInt32,
  charger_id UInt32,
  evse UInt16,
  connector UInt16,
  -- Length of the slot.
  slot_minutes UInt16,
  slot DateTime('UTC') codec(DoubleDelta, ZSTD(1)),
  version UInt64 codec(DoubleDelta, ZSTD(1)),
  -- Of a measurand whose count is 0, the other numbers mean nothing.
  power_w Tuple(least Float32, most Float32, total Float64, count UInt32) codec(ZSTD(1)),
  current_a Tuple(least Float32, most Float32, total Float64, count UInt32) codec(ZSTD(1)),
  current_l1_a Tuple(least Float32, most Float32, total Float64, count UInt32) codec(ZSTD(1)),
  current_l2_a Tuple(least Float32, most Float32, total Float64, count UInt32) codec(ZSTD(1)),
  current_l3_a Tuple(least Float32, most Float32, total Float64, count UInt32) codec(ZSTD(1)),
  voltage_v Tuple(least Float32, most Float32, total Float64, count UInt32) codec(ZSTD(1)),
  voltage_l1_v Tuple(least Float32, most Float32, total Float64, count UInt32) codec(ZSTD(1)),
  voltage_l2_v Tuple(least Float32, most Float32, total Float64, count UInt32) codec(ZSTD(1)),
  voltage_l3_v Tuple(least Float32, most Float32, total Float64, count UInt32) codec(ZSTD(1)),
  soc_percent Tuple(least Float32, most Float32, total Float64, count UInt32) codec(ZSTD(1)),
  temperature_c Tuple(least Float32, most Float32, total Float64, count UInt32) codec(ZSTD(1)),
  -- The register at the first and the last reading, and its increase between them, decreases omitted.
  energy_wh Tuple(first Float64, last Float64, increase Float64, count UInt32) codec(ZSTD(1))
)
engine = ReplacingMergeTree(version)
partition by toYear(slot)
order by (charger_id, network_id, slot_minutes, evse, connector, slot)
settings index_granularity = 2048
