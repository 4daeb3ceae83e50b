-- The gateway threads that live: each says so every few seconds. What a thread that died held is not connected any
-- more, whatever the rows of its chargers say.
create table gateway_shards (
  id uuid primary key,
  seen_at timestamptz not null
);

-- The newest socket of a charger. It is connected while `disconnected_at` is null and its shard lives.
alter table chargers
  add connection_id uuid,
  add connected_shard uuid,
  add connected_at timestamptz,
  add disconnected_at timestamptz;
