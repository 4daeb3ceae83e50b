-- Connections that the gateway rejected: one row for each identity and reason.
create table rejected_connections (
  id bigint generated always as identity primary key,
  uuid uuid not null default gen_random_uuid() unique,
  -- As the charger sent it in its URL.
  identity text not null,
  reason text not null,
  -- Null: no charger has this identity.
  charger_id integer references chargers (id) on delete cascade,
  -- Address of the latest attempt.
  remote_address text not null,
  attempts bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  unique (identity, reason)
);
create index on rejected_connections (charger_id);
create index on rejected_connections (last_at);

-- At most one event an hour for each identity and reason: a charger with a wrong password connects every few seconds.
create function record_rejected_connection() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and date_trunc('hour', new.last_at) = date_trunc('hour', old.last_at) then return null; end if;
  insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
  values ((select c.network_id from chargers c where c.id = new.charger_id), 'connection.rejected', new.id, new.uuid,
    new.charger_id, jsonb_build_object('identity', new.identity, 'reason', new.reason, 'attempts', new.attempts));
  return null;
end
$$;
create trigger rejected_connection_event after insert or update on rejected_connections
  for each row execute function record_rejected_connection();
