-- How long the connectors of a network charged within a quarter of an hour (UTC), all together; sessions that overlap at
-- one connector are counted once. Written anew from session_facts whenever one of them changes.
create table charging_rollup (
  network_id UInt32,
  slot DateTime('UTC') codec(DoubleDelta, ZSTD(1)),
  version UInt64 codec(Delta, ZSTD(1)),
  charging_ms Int64 codec(ZSTD(1))
)
engine = ReplacingMergeTree(version)
partition by toYear(slot)
order by (network_id, slot)
