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
    where n.nspname in ('public', 'jobs') and c.relkind = 'r' and pg_relation_size(c.oid) > 0
  loop
    execute format('create table testing.%I as table %I.%I', source.nspname || '.' || source.relname, source.nspname, source.relname);
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
    select n.nspname, c.relname, to_regclass(format('testing.%I', n.nspname || '.' || c.relname)) as template
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'jobs') and c.relkind = 'r'
      and (pg_relation_size(c.oid) > 0 or to_regclass(format('testing.%I', n.nspname || '.' || c.relname)) is not null)
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

-- What a clone of the template consists of. A test that changes it, or leaves a transaction or a lock, cannot share its database.
create function testing.state() returns jsonb language sql as $$
  select jsonb_build_object(
    'catalogue', (select array_agg(format('%s %s', count, max)) from (
      select count(*), max(oid) from pg_class where relpersistence <> 't' and relnamespace <> 'pg_toast'::regnamespace
      union all select count(*), max(oid) from pg_proc
      union all select count(*), max(oid) from pg_trigger
      union all select count(*), max(oid) from pg_constraint) catalogue),
    'connections', coalesce((select jsonb_agg(distinct application_name) from pg_stat_activity
      where datname = current_database() and application_name not in ('chargeway-test', 'chargeway-test-reset')), '[]'),
    'transactions', (select count(*) from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'),
    'advisory locks', (select count(*) from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory'))
$$;
