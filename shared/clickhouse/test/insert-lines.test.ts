import t from 'tap';
import { isClickHouseDown, isRowFault } from '#shared/clickhouse/client.ts';
import { insertLines } from '#shared/clickhouse/insert-lines.ts';
import { testStores } from '#shared/testing/stores.ts';

void t.test('stores lines of any length whole or refuses them with the reason', async (t) => {
  const { clickhouse } = await testStores(t, { fresh: true });
  await clickhouse.command({
    query: 'create table lines (id UInt32, text String) engine = MergeTree order by id',
  });
  const table = { name: 'lines', columns: ['id', 'text'] };
  const many = Array.from({ length: 20_000 }, (_, id) => `[${id},"${'é'.repeat(100)}"]\n`).join('');
  const bytes = Buffer.from(many);
  // A chunk may end within a line, and within a character.
  await insertLines(clickhouse, table, [bytes.subarray(0, 100_001), bytes.subarray(100_001)]);
  await insertLines(clickhouse, table, [Buffer.from('[20000,"last"]\n')]);
  const count = async () => {
    const result = await clickhouse.query({ query: 'select count() as n from lines', format: 'JSONEachRow' });
    return result.json<{ n: number }>();
  };
  t.same(await count(), [{ n: 20_001 }]);

  for (const wrong of ['["x","y"]\n', `${many}["x","y"]\n`, `["x","y"]\n${many}`]) {
    const error = await insertLines(clickhouse, table, [Buffer.from(wrong)]).catch((error: unknown) => error);
    t.equal(isRowFault(error), true, 'a fault of the rows');
    t.equal(isClickHouseDown(error), false);
  }
  const away = insertLines(clickhouse, { ...table, name: 'nowhere' }, [Buffer.from('[1,"x"]\n')]);
  t.equal(isRowFault(await away.catch((error: unknown) => error)), false, 'the rows are worth keeping');
  t.same(await count(), [{ n: 20_001 }]);
});
