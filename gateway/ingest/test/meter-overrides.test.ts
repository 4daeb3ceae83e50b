import { pino } from 'pino';
import t from 'tap';
import { MeterOverrides } from '#gateway/ingest/meter-overrides.ts';
import { noOverrides } from '#shared/domain/fleet/meter-override.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';

void t.test('known overrides are used while changes cannot be read, and changes afterwards', async (t) => {
  const { sql } = await testStores(t);
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const overrides = await MeterOverrides.open(sql, log);
  t.teardown(() => overrides.close());
  t.equal(overrides.known(1), noOverrides, 'no model has overrides: nothing is read');

  await sql`alter table meter_overrides rename to unreadable`;
  await sql`notify meter_overrides_changed`;
  await until('a failed read', async () => lines.some((line) => line.includes('not followed')));
  t.equal(overrides.known(1), noOverrides, 'a call that needs no store still needs none');

  await sql`alter table unreadable rename to meter_overrides`;
  const [manufacturer] = await sql<{ id: number }[]>`
    insert into manufacturers (name) values ('North') returning id`;
  await sql`with model as (
      insert into charger_models (manufacturer_id, model_name, ocpp_version)
      values (${manufacturer?.id ?? 0}, 'One', '1.6') returning id)
    insert into meter_overrides (model_id, overrides) select id, '[{"measurand": "Power.Active.Import"}]' from model`;
  await until('overrides that are read for each charger', () => overrides.known(1) === undefined);
  t.same(await overrides.read(1), [], 'the charger has none');
  t.same(overrides.known(1), [], 'read once');
});
