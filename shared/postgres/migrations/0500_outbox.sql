-- The outbox (docs/adr/0041-outbox-and-public-events.md): typed events, each written in the transaction of the change that it reports. Events carry ids and
-- never names or addresses.
create table outbox (
  -- The order of writing. Events of one subject have it in the order of their commits, since their writers lock the subject.
  id bigint generated always as identity,
  -- The order of reading, assigned after the commit by one process at a time. Null: not assigned yet.
  position bigint,
  network_id integer not null,
  -- The names are in shared/domain/kernel/outbox.ts.
  type text not null,
  subject_id bigint not null,
  -- Of a changed row: `changed`, the compared columns that differ, and `was`, the previous values of the columns that readers need.
  data jsonb not null default '{}',
  -- By the clock and not the start of the transaction, so that it follows everything that the transaction waited for.
  occurred_at timestamptz not null default clock_timestamp()
);
-- No primary key: each of these two indexes holds an event at a different time, which keeps an insert at one index entry.
create index outbox_unassigned on outbox (id) where position is null;
create unique index outbox_by_position on outbox (position) where position is not null;
-- Facts in ClickHouse have the position as their version, so positions go on above the versions that were sent before.
create sequence outbox_position;
select setval('outbox_position', greatest(last_value, 1)) from session_fact_marks_id_seq;
-- Every event becomes a dead row once, when its position is assigned.
alter table outbox set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000);

-- The position up to which each reader has taken the events. The lock on a row lets one process read at a time.
create table outbox_readers (
  name text primary key,
  position bigint not null default 0
);
insert into outbox_readers (name) values ('session-facts'), ('cdrs'), ('ocpi-pushes'), ('evse-use'), ('charging-changes');

-- Writes the event of a row that was inserted or changed. Arguments: the subject's name in the type, and the compared columns.
create function record_event() returns trigger language plpgsql as $$
declare
  old_row jsonb;
  new_row jsonb;
begin
  if tg_op = 'INSERT' then
    insert into outbox (network_id, type, subject_id) values (new.network_id, tg_argv[0] || '.created', new.id);
    return null;
  end if;
  old_row := to_jsonb(old);
  new_row := to_jsonb(new);
  insert into outbox (network_id, type, subject_id, data)
  values (new.network_id, tg_argv[0] || '.updated', new.id, jsonb_build_object('changed',
    (select coalesce(jsonb_agg(name), '[]') from unnest(tg_argv[1]::text[]) name
      where old_row -> name is distinct from new_row -> name)));
  return null;
end
$$;

-- PL/pgSQL keeps the plan of the query, which a condition of a trigger needs.
create function has_partners(network integer) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from ocpi_partners p where p.network_id = network and p.status <> 'PENDING' and p.deleted_at is null);
end
$$;
