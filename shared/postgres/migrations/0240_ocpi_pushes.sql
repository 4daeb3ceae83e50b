-- Pushes to roaming partners (docs/adr/0023-partners-pushes-and-cards.md). A change writes one mark, in its own transaction and
-- however many partners there are; a job turns marks into one push for each partner and object.
create table ocpi_change_marks (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('location', 'evse', 'connector', 'tariff', 'assignment', 'session', 'cdr')),
  object_id bigint not null,
  -- false: what changes all the time and nothing else: the status of an EVSE, the live values of a session.
  is_whole boolean not null,
  -- Later than now: what changes by itself then, such as the tariff of a place.
  ready_at timestamptz not null default now()
);
create index on ocpi_change_marks (ready_at, id);

-- What a partner must still be sent. What is sent is the object as it is then, so one row stands for all its changes.
create table ocpi_pushes (
  id bigint generated always as identity primary key,
  partner_id integer not null references ocpi_partners (id),
  object text not null check (object in ('tariff', 'location', 'evse', 'session', 'cdr')),
  object_id bigint not null,
  is_whole boolean not null,
  -- Rises with each change: one that comes while the object is on its way is not taken for sent.
  revision integer not null default 1,
  -- Of the first change that was not sent.
  changed_at timestamptz not null,
  due_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- Whoever sends it has it until then; whoever dies loses it.
  claimed_until timestamptz,
  last_error text,
  unique (partner_id, object, object_id)
);
create index on ocpi_pushes (partner_id, due_at);

-- What all API processes know together of the way to a partner: its circuit breaker, its rate, what went well and wrong.
create table ocpi_push_lanes (
  partner_id integer primary key references ocpi_partners (id),
  -- In a row: timeouts, refused connections, answers of 5xx or 3xxx.
  failures integer not null default 0,
  -- Nothing is sent before; after it one push is, to see. Null: the breaker is closed.
  open_until timestamptz,
  -- How often it opened since the partner last answered: the waiting doubles.
  opened integer not null default 0,
  -- Requests that may be sent at once, as of `refilled_at`.
  budget double precision,
  refilled_at timestamptz not null default now(),
  sent bigint not null default 0,
  failed bigint not null default 0,
  last_sent_at timestamptz,
  last_failed_at timestamptz,
  last_error text
);

-- The CDRs that a partner has: they are never sent to it again.
create table ocpi_delivered_cdrs (
  cdr_id bigint primary key references cdrs (id),
  delivered_at timestamptz not null default now()
);

-- Networks without partners write nothing.
create function mark_for_partners(kind text, object_id bigint, network integer, is_whole boolean,
  ready_at timestamptz default now()) returns void
language sql as $$
  insert into ocpi_change_marks (kind, object_id, is_whole, ready_at)
  select kind, object_id, is_whole, greatest(ready_at, now())
  where exists (
    select from ocpi_partners p where p.network_id = network and p.status <> 'PENDING' and p.deleted_at is null)
$$;

create function mark_location() returns trigger language plpgsql as $$
begin
  perform mark_for_partners('location', new.id, new.network_id, true);
  return null;
end
$$;
-- One that was never published is nobody's to know.
create trigger location_made_to_partners after insert on locations
  for each row when (new.is_published) execute function mark_location();
create trigger location_changed_to_partners after update on locations
  for each row when (new.is_published or old.is_published) execute function mark_location();

-- The status of an EVSE comes from its connectors and its charger, and moves nothing of its row but `last_updated`.
create function mark_evse() returns trigger language plpgsql as $$
begin
  perform mark_for_partners('evse', new.id, new.network_id,
    tg_op = 'INSERT' or to_jsonb(old) - 'last_updated' <> to_jsonb(new) - 'last_updated');
  return null;
end
$$;
create trigger evse_to_partners after insert or update on evses
  for each row execute function mark_evse();

create function mark_connector() returns trigger language plpgsql as $$
begin
  perform mark_for_partners('connector', new.id, c.network_id, true) from chargers c where c.id = new.charger_id;
  return null;
end
$$;
create trigger connector_made_to_partners after insert on connectors
  for each row execute function mark_connector();
create trigger connector_changed_to_partners after update on connectors
  for each row when ((old.standard, old.format, old.power_type, old.max_voltage, old.max_amperage, old.max_power_w,
      old.terms_and_conditions, old.deleted_at)
    is distinct from (new.standard, new.format, new.power_type, new.max_voltage, new.max_amperage, new.max_power_w,
      new.terms_and_conditions, new.deleted_at))
  execute function mark_connector();

-- An assignment begins and ends by itself: a mark for each.
create function mark_assignment() returns trigger language plpgsql as $$
begin
  perform mark_for_partners('assignment', new.id, t.network_id, true, moment)
  from tariffs t, unnest(array[now(), new.valid_from, new.valid_until]) moment
  where t.id = new.tariff_id and (moment = now() or moment > now() and moment < 'infinity');
  return null;
end
$$;
create trigger assignment_to_partners after insert or update on tariff_assignments
  for each row execute function mark_assignment();

-- A tariff that was never assigned is nobody's to know.
create function mark_tariff() returns trigger language plpgsql as $$
begin
  if exists (select from tariff_assignments a where a.tariff_id = new.id) then
    perform mark_for_partners('tariff', new.id, new.network_id, true);
  end if;
  if (old.starts_at, old.ends_at) is distinct from (new.starts_at, new.ends_at) then
    perform mark_for_partners('assignment', a.id, new.network_id, true, moment)
    from tariff_assignments a, unnest(array[now(), new.starts_at, new.ends_at]) moment
    where a.tariff_id = new.id and a.is_active and moment >= now();
  end if;
  return null;
end
$$;
create trigger tariff_to_partners after update on tariffs
  for each row execute function mark_tariff();

-- Sessions and CDRs have one partner, so what marks them needs to ask for none.
create function mark_session() returns trigger language plpgsql as $$
begin
  insert into ocpi_change_marks (kind, object_id, is_whole) values ('session', new.id, tg_argv[0]::boolean);
  return null;
end
$$;
create trigger session_made_to_partner after insert on sessions
  for each row when (new.ocpi_partner_id is not null) execute function mark_session('true');
create trigger session_changed_to_partner after update on sessions
  for each row when (new.ocpi_partner_id is not null
    and (old.ocpi_partner_id, old.status, old.started_at, old.ended_at, old.cost, old.currency,
        old.authorization_reference, old.meter_id, old.version)
      is distinct from (new.ocpi_partner_id, new.status, new.started_at, new.ended_at, new.cost, new.currency,
        new.authorization_reference, new.meter_id, new.version))
  execute function mark_session('true');
-- Live values come every few seconds; a partner is told of them twice a minute at most.
create trigger session_lives_to_partner after update on sessions
  for each row when (new.ocpi_partner_id is not null and new.status in ('ACTIVE', 'STOPPING')
    and floor(extract(epoch from old.live_at) / 30) is distinct from floor(extract(epoch from new.live_at) / 30))
  execute function mark_session('false');

create function mark_cdr_made() returns trigger language plpgsql as $$
begin
  insert into ocpi_change_marks (kind, object_id, is_whole) values ('cdr', new.id, true);
  return null;
end
$$;
create trigger cdr_to_partner after insert on cdrs for each row execute function mark_cdr_made();
