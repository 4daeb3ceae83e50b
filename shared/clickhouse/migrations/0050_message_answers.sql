-- A row is a CALL with its answer. Rows of earlier versions, calls without an answer and answers without a call are
-- frames by themselves: their answer_kind is 'none', and latency_ms of an answer by itself is its own.
alter table ocpp_messages
  add column answer_kind Enum8('none' = 0, 'result' = 3, 'error' = 4),
  add column answer_error_code LowCardinality(String),
  add column answer_payload String codec(ZSTD(3)),
  add column answer_truncated Bool,
  -- The place of the answer in the order of frames.
  add column answer_time DateTime64(3, 'UTC') alias time + toIntervalMillisecond(toInt64(round(ifNull(latency_ms, 0)))),
  add column answer_seq UInt64 alias seq + 1
