-- What of the sessions must still be written to ClickHouse (session_facts): each change of a completed session, in the
-- transaction that makes it. Rows are added by all and removed by whoever sends them.
create table session_fact_marks (
  -- The version of the fact: it rises with each change, since a session's changes wait for each other.
  id bigint generated always as identity primary key,
  session_id bigint not null,
  -- Where the session was counted before the change; null: nowhere.
  was_network_id integer,
  was_started_at timestamptz,
  was_ended_at timestamptz
);

-- Numbers the batches that are sent: never the same one twice, not even after one that failed.
create sequence session_fact_batch;

create function mark_session_fact() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.status = 'COMPLETED' then
    insert into session_fact_marks (session_id, was_network_id, was_started_at, was_ended_at)
      values (new.id, old.network_id, old.started_at, old.ended_at);
  else
    insert into session_fact_marks (session_id) values (new.id);
  end if;
  return null;
end
$$;

create trigger session_fact_inserted after insert on sessions
  for each row when (new.status = 'COMPLETED') execute function mark_session_fact();
create trigger session_fact_changed after update on sessions
  for each row when (new.status = 'COMPLETED' or old.status = 'COMPLETED') execute function mark_session_fact();

insert into session_fact_marks (session_id) select id from sessions where status = 'COMPLETED' order by id;

-- What analytics ask of PostgreSQL: what runs now, what ran at the same connector meanwhile, and which connectors
-- there were.
create index sessions_running_of_network on sessions (network_id) where status in ('ACTIVE', 'STOPPING');
create index sessions_ended_at_connector on sessions (connector_id, ended_at) where status = 'COMPLETED';
create index chargers_of_network on chargers (network_id);
create index connectors_of_charger on connectors (charger_id);
