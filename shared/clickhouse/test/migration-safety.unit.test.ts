import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { unsafeClickHouseStatements } from './support/unsafe-clickhouse-statements.ts';

/** The last migration of the baseline; later ones must be safe while its processes run. Renewed at a release. */
const baseline = '0070_ocpi_exchange_objects.sql';

/** Number of migrations up to it. */
const migrationsOfBaseline = 21;

const directory = join(import.meta.dirname, '../migrations');

void t.test(
  'migrations of ClickHouse since the baseline are safe while the previous version runs',
  async (t) => {
    const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted();
    t.ok(names.includes(baseline));
    const later = names.filter((name) => name > baseline);
    t.equal(
      names.length - later.length,
      migrationsOfBaseline,
      'no migration is numbered below the baseline later',
    );
    for (const name of later) {
      t.same(unsafeClickHouseStatements(await readFile(join(directory, name), 'utf8')), [], name);
    }
  },
);

const unsafe = [
  'drop table meter_samples',
  'truncate table meter_samples',
  'rename table meter_samples to samples',
  'exchange tables meter_samples and samples',
  'alter table meter_samples drop column flags',
  'alter table meter_samples rename column flags to notes',
  'alter table meter_samples modify column flags String',
  'alter table meter_samples modify order by charger_id',
  'alter table meter_samples modify ttl time + toIntervalDay(1)',
  'alter table meter_samples materialize column json',
  'alter table meter_samples materialize index by_time',
  "alter table meter_samples update flags = [] where flags = ['x']",
  'alter table meter_samples delete where power_w = 0',
  'alter table meter_samples add column note String, drop column flags',
  'delete from meter_samples where power_w = 0',
  'insert into reading_days select charger_id, toDate(time) from meter_samples',
  'create materialized view sums to reading_days as select charger_id from meter_samples',
  'optimize table meter_samples final',
];

for (const statement of unsafe) {
  void t.test(`refuses ${statement}`, async (t) => {
    t.equal(unsafeClickHouseStatements(`-- A note; of two parts.\n${statement.toUpperCase()}`).length, 1);
    t.same(
      unsafeClickHouseStatements(`-- safe: a second for a billion readings\n${statement}`),
      [],
      'but not with a reason',
    );
  });
}

const safe = [
  'create table notes (id UInt32, text String) engine = MergeTree order by id',
  'create table if not exists notes (id UInt32) engine = MergeTree order by id',
  'alter table meter_samples add column note String codec(DoubleDelta, ZSTD(1)), add column if not exists level UInt8 default 0',
  'alter table meter_samples add index by_note note type minmax granularity 1',
  'alter table meter_samples modify setting fsync_after_insert = 1, fsync_part_directory = 1',
];

for (const statement of safe) {
  void t.test(`accepts ${statement}`, async (t) => {
    t.same(unsafeClickHouseStatements(`${statement};`), []);
  });
}

void t.test('refuses two statements in a migration', async (t) => {
  t.equal(unsafeClickHouseStatements('create table a (id UInt8); create table b (id UInt8)').length, 1);
});
