-- Runs once in the template database, so that each clone has it. Rows of the template, such as the positions of readers, are copied
-- to the schema "testing"; testing.reset() brings a used clone back to them.
create schema testing;

do $$
declare
  source record;
begin
  for source in
    select n.nspname, c.relname
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and pg_relation_size(c.oid) > 0
  loop
    execute format('create table testing.%I as table %I.%I', source.nspname || '_' || source.relname, source.nspname, source.relname);
  end loop;
end $$;

-- Deletes the rows of all tables that have any and restores those of the template. Identifiers do not start again at 1: what a cache
-- keeps by an identifier never belongs to a later test. Triggers and foreign keys do not fire.
create function testing.reset() returns void language plpgsql as $$
declare
  used record;
  is_changed boolean;
begin
  set local session_replication_role = replica;
  set local lock_timeout = '10s';
  for used in
    select n.nspname, c.relname, to_regclass(format('testing.%I', n.nspname || '_' || c.relname)) as template
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r'
      and (pg_relation_size(c.oid) > 0 or to_regclass(format('testing.%I', n.nspname || '_' || c.relname)) is not null)
  loop
    if used.template is null then
      execute format('delete from %I.%I', used.nspname, used.relname);
      continue;
    end if;
    execute format(
      'select (select md5(string_agg(t::text, %3$L order by t::text)) from %1$I.%2$I t)
        is distinct from (select md5(string_agg(t::text, %3$L order by t::text)) from %4$s t)',
      used.nspname, used.relname, chr(10), used.template) into is_changed;
    if is_changed then
      execute format('delete from %I.%I', used.nspname, used.relname);
      execute format('insert into %I.%I overriding system value table %s', used.nspname, used.relname, used.template);
    end if;
  end loop;
end $$;

-- Digest of what a clone of the template consists of. A test that changes it cannot share its database.
create function testing.catalogue() returns text language sql as $$
  with own as (select oid, relname from pg_class where relnamespace = 'public'::regnamespace)
  select string_agg(digest::text, ' ') from (
    select sum(hashtextextended(relname, oid::bigint)) from own
    union all select sum(hashtextextended(attname, oid::bigint)) from own join pg_attribute on attrelid = oid
    union all select sum(hashtextextended(proname, oid::bigint)) from pg_proc where pronamespace = 'public'::regnamespace
    union all select sum(hashtextextended(tgenabled::text, oid::bigint)) from pg_trigger
    union all select sum(hashtextextended(conname, oid::bigint)) from pg_constraint where connamespace = 'public'::regnamespace
  ) catalogue (digest)
$$;

-- Connections, transactions and locks of the last test, which would disturb the next one.
create function testing.activity() returns jsonb language sql as $$
  select jsonb_build_object(
    'connections', coalesce((select jsonb_agg(distinct application_name) from pg_stat_activity
      where datname = current_database() and application_name not in ('chargeway-test', 'chargeway-test-reset')), '[]'),
    'working', coalesce((select jsonb_agg(format('%s %s: %s', state, wait_event, left(query, 200))) from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
        and (state like 'idle in transaction%' or state = 'active' and wait_event is distinct from 'ClientRead')), '[]'),
    'advisory locks', (select count(*) from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory'))
$$;
