import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Schemas that the server does not bring. Objects that users define have identifiers from 16384 on. */
const ownSchemas = `
  with own as (select * from pg_namespace where (oid >= 16384 or nspname = 'public') and nspname not like 'pg\\_%')`;

/**
 * Queries of everything that statements define in a database. They return names, since identifiers and numbers of columns may differ.
 * Triggers are printed prettily, which omits the parentheses of `(a or b) or c`: a comparison of rows has them, and its text does not.
 */
const queries = {
  databases: `
    select datcollate, datctype, encoding, datacl,
      array(select setconfig::text from pg_db_role_setting where setdatabase = d.oid order by setrole) as settings
    from pg_database d where datname = current_database()`,
  schemas: 'select nspname, nspowner::regrole, nspacl from own',
  extensions: 'select extname, extversion, extnamespace::regnamespace, extowner::regrole from pg_extension',
  relations: `
    select c.oid::regclass, relkind, relpersistence, relowner::regrole, relacl, reloptions, relreplident, relrowsecurity, relforcerowsecurity,
      relispartition, pg_get_expr(relpartbound, c.oid) as bound, pg_get_partkeydef(c.oid) as key, reloftype::regtype,
      (select amname from pg_am where oid = relam) as method, (select spcname from pg_tablespace where oid = reltablespace) as tablespace,
      array(select inhparent::regclass::text from pg_inherits where inhrelid = c.oid order by inhseqno) as parents,
      case when relkind in ('v', 'm') then pg_get_viewdef(c.oid) end as definition
    from pg_class c join own on own.oid = relnamespace`,
  columns: `
    select attrelid::regclass, row_number() over (partition by attrelid order by attnum) as position, attname,
      format_type(atttypid, atttypmod), attcollation::regcollation, attnotnull, attidentity, attgenerated, attstorage, attcompression,
      attislocal, attinhcount, attacl, attoptions, attstattarget, pg_get_expr(adbin, adrelid) as "default"
    from pg_attribute join pg_class c on c.oid = attrelid join own on own.oid = relnamespace
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped`,
  constraints: `
    select conrelid::regclass, contypid::regtype, conname, contype, pg_get_constraintdef(k.oid) as definition, condeferrable, condeferred,
      convalidated, conislocal, coninhcount, connoinherit, conindid::regclass
    from pg_constraint k join own on own.oid = connamespace`,
  indexes: `
    select pg_get_indexdef(indexrelid) as definition, indisunique, indnullsnotdistinct, indisprimary, indisexclusion, indimmediate,
      indisclustered, indisvalid, indisready, indislive, indisreplident
    from pg_index join pg_class c on c.oid = indexrelid join own on own.oid = relnamespace`,
  triggers: `
    select tgrelid::regclass, tgconstrrelid::regclass, tgfoid::regproc, tgenabled, tgisinternal, tgdeferrable, tginitdeferred, tgtype,
      (select conname from pg_constraint where oid = tgconstraint) as foreign_key,
      case when not tgisinternal then pg_get_triggerdef(t.oid, true) end as definition
    from pg_trigger t join pg_class c on c.oid = tgrelid join own on own.oid = relnamespace`,
  rules: `
    select pg_get_ruledef(r.oid) as definition, ev_enabled
    from pg_rewrite r join pg_class c on c.oid = ev_class join own on own.oid = relnamespace`,
  functions: `
    select p.oid::regprocedure, prokind, proowner::regrole, proacl,
      case when prokind in ('f', 'p') then pg_get_functiondef(p.oid) end as definition
    from pg_proc p join own on own.oid = pronamespace`,
  types: `
    select t.oid::regtype, typtype, typcategory, typowner::regrole, typacl, typbasetype::regtype, typnotnull, typdefault,
      array(select enumlabel::text from pg_enum where enumtypid = t.oid order by enumsortorder) as labels
    from pg_type t join own on own.oid = typnamespace`,
  sequences: `
    select c.oid::regclass, data_type, start_value, min_value, max_value, increment_by, cycle, cache_size, last_value,
      (select array[deptype::text, refobjid::regclass::text, attname::text]
       from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid where objid = c.oid and refobjsubid > 0) as owner
    from pg_class c join own on own.oid = relnamespace join pg_sequences on schemaname = nspname and sequencename = relname`,
  comments: `
    select i.type, i.identity, description from pg_description d cross join pg_identify_object(d.classoid, d.objoid, d.objsubid) i
    where i.schema in (select nspname from own)`,
  defaultPrivileges:
    'select defaclrole::regrole, defaclnamespace::regnamespace, defaclobjtype, defaclacl from pg_default_acl',
  others: `
    select i.type, i.identity
    from (select tableoid, oid from pg_cast union all select tableoid, oid from pg_collation union all select tableoid, oid from pg_language
      union all select tableoid, oid from pg_event_trigger union all select tableoid, oid from pg_foreign_server
      union all select tableoid, oid from pg_operator union all select tableoid, oid from pg_opclass union all select tableoid, oid from pg_opfamily
      union all select tableoid, oid from pg_policy union all select tableoid, oid from pg_publication
      union all select tableoid, oid from pg_statistic_ext union all select tableoid, oid from pg_ts_config) o
      cross join pg_identify_object(o.tableoid, o.oid, 0) i
    where o.oid >= 16384`,
} as const;

export type ObjectKind = keyof typeof queries;

export const objectKinds = Object.keys(queries) as ObjectKind[];

/** Describes all objects of a kind, as sorted lines. */
export function describeObjects(sql: Queryable, kind: ObjectKind): Promise<string[]> {
  return lines(sql, `${ownSchemas} select to_jsonb(o)::text as line from (${queries[kind]}) o`);
}

/** Describes the rows of each table that has some, as sorted lines without times. */
export async function describeRows(sql: Queryable): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string; times: string[] }[]>`
    select attrelid::regclass::text as name, coalesce(array_agg(attname::text) filter (where atttypid = 'timestamptz'::regtype), '{}') as times
    from pg_attribute join pg_class c on c.oid = attrelid and relkind = 'r' join pg_namespace n on n.oid = relnamespace
    where attnum > 0 and (n.oid >= 16384 or nspname = 'public') group by attrelid order by name`;
  const description: Record<string, string[]> = {};
  for (const { name, times } of tables) {
    const rows = await lines(sql, `select (to_jsonb(o) - $1::text[])::text as line from ${name} o`, [times]);
    if (rows.length > 0) description[name] = rows;
  }
  return description;
}

async function lines(sql: Queryable, query: string, parameters: string[][] = []): Promise<string[]> {
  const rows = await sql.unsafe<{ line: string }[]>(query, parameters);
  return rows.map(({ line }) => line).toSorted();
}
