alter table sessions
  -- Counts the ends that it had: 1 until its first is put right (ETag).
  add version integer not null default 1,
  -- Of the invoice that it is on: from then on it stays as it is.
  add invoice_number text;

-- What a completed session was before its end, energy or price was put right: by a late message of its charger, or by an
-- operator, who says why.
create table session_revisions (
  id bigint generated always as identity primary key,
  session_id bigint not null references sessions (id),
  -- That the session had until then.
  version integer not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  energy_wh double precision not null,
  meter_start_wh double precision,
  meter_stop_wh double precision,
  stop_reason text,
  cost_minor bigint,
  cost jsonb,
  flags text[] not null,
  replaced_at timestamptz not null default now(),
  -- Null: the charger's own messages put it right.
  reason text,
  replaced_by text,
  unique (session_id, version)
);

-- Whoever puts a completed session right, the revision is kept.
create function keep_session_revision() returns trigger language plpgsql as $$
begin
  insert into session_revisions (session_id, version, started_at, ended_at, energy_wh, meter_start_wh, meter_stop_wh,
    stop_reason, cost_minor, cost, flags)
  values (old.id, old.version, old.started_at, old.ended_at, old.energy_wh, old.meter_start_wh, old.meter_stop_wh,
    old.stop_reason, old.cost_minor, old.cost, old.flags);
  new.version := old.version + 1;
  return new;
end
$$;
create trigger session_revision before update of started_at, ended_at, energy_wh, cost_minor, cost on sessions
  for each row when (old.status = 'COMPLETED'
    -- The first price of a session that had to wait for it puts nothing right.
    and not (old.cost is null and old.flags @> '{cost-pending}'
      and old.flags @> '{corrected}' = (new.flags @> '{corrected}')
      and (old.ended_at, old.energy_wh) is not distinct from (new.ended_at, new.energy_wh))
    and (old.started_at, old.ended_at, old.energy_wh, old.cost_minor, old.cost)
      is distinct from (new.started_at, new.ended_at, new.energy_wh, new.cost_minor, new.cost))
  execute function keep_session_revision();

-- What operators look sessions up by.
create index on sessions using gin (flags);
create index on sessions (lower(id_token), started_at desc, id desc) where id_token is not null;
