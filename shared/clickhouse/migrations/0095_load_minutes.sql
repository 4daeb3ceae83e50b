-- Load of each phase of each circuit of a managed site, by minutes. Two processes may write parts of one minute.
create table load_minutes (
  network_id UInt32,
  site_id UInt32,
  circuit LowCardinality(String),
  -- 0 to 2: L1 to L3.
  phase UInt8,
  -- Start of the minute.
  time DateTime('UTC') codec(DoubleDelta, ZSTD(1)),
  samples UInt32 codec(T64, ZSTD(1)),
  -- Lowest limit in A.
  limit_a Float32 codec(ZSTD(1)),
  -- Sums of the samples in A: load that is not charging, and the load with charging.
  other_sum_a Float64 codec(ZSTD(1)),
  load_sum_a Float64 codec(ZSTD(1)),
  -- Highest load in A, and the highest that was possible.
  load_max_a Float32 codec(ZSTD(1)),
  bound_max_a Float32 codec(ZSTD(1))
)
engine = MergeTree
partition by toYYYYMM(time)
order by (site_id, circuit, phase, time)
ttl toDateTime(time) + toIntervalDay(400)
settings ttl_only_drop_parts = 1
