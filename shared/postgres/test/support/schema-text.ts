import type { Sql } from '#shared/postgres/kernel/client.ts';

const header =
  '-- Schema of a new database. Written by `npm run postgres:baseline`, from the migrations that its last rows list.\n';

/** Returns statements that make the schema and the rows of a migrated database, in a database that has a list of migrations only. */
export async function schemaText(sql: Sql): Promise<string> {
  const [early, late] = await functionsOf(sql);
  const parts = [
    ['set local check_function_bodies = off'],
    await texts(
      sql`select format('create extension if not exists %I', extname) from pg_extension where extname <> 'plpgsql' order by oid`,
    ),
    await sequencesOf(sql),
    early,
    await tablesOf(sql),
    await texts(sql`
      select pg_get_indexdef(i.indexrelid)
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u', 'x'))
      order by i.indrelid::regclass::text, c.relname`),
    await texts(sql`
      select format(E'alter table %s\n  %s', conrelid::regclass,
        string_agg(format('add constraint %I %s', conname, pg_get_constraintdef(oid)), E',\n  ' order by conname))
      from pg_constraint where connamespace = 'public'::regnamespace and contype = 'f'
      group by conrelid order by conrelid::regclass::text`),
    await texts(sql`
      select format('alter sequence %s owned by %s.%I', d.objid::regclass, d.refobjid::regclass, a.attname)
      from pg_depend d
        join pg_class c on c.oid = d.objid and c.relkind = 'S' and c.relnamespace = 'public'::regnamespace
        join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
      where d.deptype = 'a' order by 1`),
    late,
    await texts(sql`
      select format(E'create view %s as\n%s', oid::regclass, rtrim(pg_get_viewdef(oid), ';'))
      from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace order by oid`),
    await texts(sql`
      select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where not t.tgisinternal and c.relnamespace = 'public'::regnamespace order by c.relname, t.tgname`),
    await texts(sql`
      select format('comment on %s %s is %L', replace(i.type, 'table ', ''), i.identity, d.description)
      from pg_description d cross join pg_identify_object(d.classoid, d.objoid, d.objsubid) i
      where i.schema = 'public' order by i.type, i.identity`),
    await rowsOf(sql),
    await texts(sql`
      select format('select setval(%L, %s)', sequencename, last_value) from pg_sequences
      where schemaname = 'public' and last_value is not null order by 1`),
  ];
  const statements = parts.flat().map((statement) => `\n${statement.trim()};\n`);
  // Without the name of the schema: it is the current one of the connection.
  return header + statements.join('').replaceAll(/\bpublic\./g, '');
}

async function texts(query: PromiseLike<readonly (object | undefined)[]>): Promise<string[]> {
  return (await query).flatMap((row) => Object.values(row ?? {}) as string[]);
}

/** Returns the functions that tables need, and those that need tables for their arguments or results. */
async function functionsOf(sql: Sql): Promise<[string[], string[]]> {
  const rows = await sql<{ text: string; usesTable: boolean }[]>`
    select pg_get_functiondef(p.oid) as text,
      exists (select from pg_type where oid = any (p.proargtypes || p.prorettype) and typtype = 'c') as "usesTable"
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
    order by p.oid`;
  const pick = (usesTable: boolean) =>
    rows.filter((row) => row.usesTable === usesTable).map(({ text }) => text);
  return [pick(false), pick(true)];
}

/** Returns the sequences that no identity column has. */
async function sequencesOf(sql: Sql): Promise<string[]> {
  return texts(sql`
    select format('create sequence %s as %s%s', seqrelid::regclass, seqtypid::regtype, case when seqcycle then ' cycle' end)
    from pg_sequence join pg_class c on c.oid = seqrelid and c.relnamespace = 'public'::regnamespace
    where not exists (select from pg_depend where objid = seqrelid and deptype = 'i')
    order by 1`);
}

/** Returns the tables with all constraints but foreign keys. */
async function tablesOf(sql: Sql): Promise<string[]> {
  return texts(sql`
    with columns as (
      select a.attrelid as id, string_agg(format(E'  %I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
        case
          when a.attidentity = 'a' then ' generated always as identity'
          when a.attgenerated = 's' then format(' generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
          when d.oid is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid)
        end,
        case
          when not a.attnotnull then ''
          when (select count(*) from pg_constraint where conname = n.conname) > 1 or n.conname <> c.relname || '_' || a.attname || '_not_null' then format(' constraint %I not null', n.conname)
          else ' not null'
        end), E',\n' order by a.attnum) as list
      from pg_attribute a
        join pg_class c on c.oid = a.attrelid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        left join pg_constraint n on n.conrelid = a.attrelid and n.contype = 'n' and n.conkey = array[a.attnum]
      where a.attnum > 0 and not a.attisdropped group by a.attrelid
    ), constraints as (
      select conrelid as id, string_agg(format(E',\n  constraint %I %s', conname, pg_get_constraintdef(oid)), ''
        order by array_position(array['p', 'u', 'x', 'c']::"char"[], contype), conname) as list
      from pg_constraint where contype in ('p', 'u', 'x', 'c') group by conrelid
    )
    select format(E'create %stable %s (\n%s%s\n)%s', case when c.relpersistence = 'u' then 'unlogged ' end, c.oid::regclass,
      columns.list, constraints.list, ' with (' || array_to_string(c.reloptions, ', ') || ')')
    from pg_class c join columns on columns.id = c.oid left join constraints on constraints.id = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
    order by c.relname`);
}

/** Returns the rows that migrations insert. Times that are a default are those of the new database. */
async function rowsOf(sql: Sql): Promise<string[]> {
  const tables = await sql<{ name: string; columns: string[] }[]>`
    select c.oid::regclass::text as name, array_agg(quote_ident(a.attname) order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and pg_relation_size(c.oid) > 0 and a.attgenerated = ''
      and pg_get_expr(d.adbin, d.adrelid) is distinct from 'now()'
    group by c.oid order by c.relname`;
  const statements: string[] = [];
  for (const { name, columns } of tables) {
    const rows = await texts(
      sql.unsafe(
        `select '(' || concat_ws(', ', ${columns.map((column) => `quote_nullable(${column})`).join(', ')}) || ')' from ${name} order by 1`,
      ),
    );
    if (rows.length > 0) {
      statements.push(`insert into ${name} (${columns.join(', ')}) values\n  ${rows.join(',\n  ')}`);
    }
  }
  return statements;
}
