-- The days (UTC) of chargers with readings: when one was inserted last, and up to when the rollup has them. A day whose readings
-- changed after it was rolled up is read from the readings.
create table reading_days (
  charger_id UInt32,
  day Date,
  changed_at SimpleAggregateFunction(max, DateTime64(3, 'UTC')) codec(ZSTD(1)),
  rolled_at SimpleAggregateFunction(max, DateTime64(3, 'UTC')) codec(ZSTD(1))
)
engine = AggregatingMergeTree
partition by toYear(day)
order by (charger_id, day)
