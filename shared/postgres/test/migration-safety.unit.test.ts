import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { unsafeStatements } from './support/unsafe-statements.ts';

/** The last migration of the baseline; later ones must be safe while its processes run. Renewed at a release. */
const baseline = '0619_ocpi_handshakes.sql';

/** Number of migrations up to it. */
const migrationsOfBaseline = 104;

/** Migrations of an earlier version that build indexes of large tables in their transaction. */
const blocking = ['0644_reads_of_a_driver.sql'];

const directory = join(import.meta.dirname, '../migrations');

void t.test('migrations since the baseline are safe while the previous version runs', async (t) => {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted();
  t.ok(names.includes(baseline));
  const later = names.filter((name) => name > baseline);
  t.equal(
    names.length - later.length,
    migrationsOfBaseline,
    'no migration is numbered below the baseline later',
  );
  for (const name of later.filter((name) => !blocking.includes(name))) {
    t.same(unsafeStatements(await readFile(join(directory, name), 'utf8')), [], name);
  }
});

const unsafe = [
  'drop table sessions',
  'alter table sessions drop column note',
  'alter table sessions drop note',
  'alter table sessions rename column note to text',
  'alter table sessions rename to charges',
  'alter table sessions alter column note type varchar(10)',
  'alter table sessions alter note set not null',
  'alter table sessions add column note text not null',
  "alter table sessions add constraint c check (note <> '')",
  "alter table sessions add check (note <> '')",
  'alter table sessions add unique (note)',
  'alter table sessions add column note text, add column text text not null',
  'alter table sessions add column note uuid default gen_random_uuid()',
  'truncate sessions',
  'drop materialized view sums',
  'do $$ begin drop table sessions; end $$',
  "alter type kind add value 'new'",
  'create index on manufacturers (note)',
  "update manufacturers set note = ''",
  'delete from manufacturers where note is null',
  'with old as (select 1) update manufacturers set note = old.id from old',
  'alter table sessions add column note_id bigint references notes (id)',
  'alter table sessions add note_id bigint references notes (id)',
];

for (const statement of unsafe) {
  void t.test(`refuses ${statement}`, async (t) => {
    t.equal(unsafeStatements(`-- A note; of several parts.\n${statement.toUpperCase()};`).length, 1);
    t.same(
      unsafeStatements(`-- safe: nothing reads it since 0600\n${statement};`),
      [],
      'but not with a reason',
    );
    t.equal(unsafeStatements(`-- safe: this one\nselect 1;\n${statement};`).length, 1, 'of its own');
  });
}

const blockingIndexes = [
  'create index on sessions (note)',
  'create unique index sessions_by_note on sessions (note)',
  'create index concurrently sessions_by_note on sessions (note)',
];

for (const statement of blockingIndexes) {
  void t.test(`refuses ${statement} in a transaction, for any reason`, async (t) => {
    t.equal(unsafeStatements(`-- safe: there are few\n${statement};`).length, 1);
  });
}

void t.test('accepts an index that is built outside a transaction', async (t) => {
  const statement = 'create index concurrently if not exists sessions_by_note on sessions (note)';
  t.same(unsafeStatements(`-- no-transaction\n-- Sessions by note.\n${statement};\n`), []);
});

const notRepeatable = [
  'create index concurrently sessions_by_note on sessions (note)',
  'create index if not exists sessions_by_note on sessions (note)',
  'create index concurrently if not exists one on sessions (note); drop table notes',
  'alter table sessions add column note text',
  '',
];

for (const statement of notRepeatable) {
  void t.test(`refuses "${statement}" outside a transaction`, async (t) => {
    t.throws(() => unsafeStatements(`-- no-transaction\n${statement}`), {
      message: /its one statement must be/,
    });
  });
}

const safe = [
  "create table notes (id bigint primary key, text text not null); create index on notes (text); update notes set text = ''",
  'create table notes (session_id bigint references sessions (id)); create index on notes (session_id)',
  'alter table sessions add constraint c foreign key (note_id) references notes (id) not valid',
  'alter table sessions add column note text',
  "alter table sessions add column note text not null default ''",
  "alter table sessions add constraint c check (note <> '') not valid",
  'alter table sessions alter column note drop not null',
  'alter table sessions alter column note drop default',
  "create or replace function f() returns text language plpgsql as $$ begin drop table t; return ''; end $$",
  "insert into notes (text) values ('; drop table sessions')",
];

for (const statement of safe) {
  void t.test(`accepts ${statement}`, async (t) => {
    t.same(unsafeStatements(`${statement};`), []);
  });
}
