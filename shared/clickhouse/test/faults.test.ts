import { ClickHouseError } from '@clickhouse/client';
import t from 'tap';
import { isClickHouseAway, isClickHouseDown, isRowFault, openClickHouse } from '#shared/clickhouse/client.ts';
import { clickHouseFault, faultCodes } from '#shared/clickhouse/faults.queries.ts';
import { insertBinary, insertLines } from '#shared/clickhouse/insert-lines.ts';
import { meterTable } from '#shared/clickhouse/meter-samples.ts';
import { testStores } from '#shared/testing/stores.ts';
import { withDatabase } from '#shared/testing/test-servers.ts';

/** Returns the class of the error of a request; none: it succeeded. */
const faultOf = (request: Promise<unknown>) => request.then(() => 'none', clickHouseFault);

const errorOf = (code: string) => new ClickHouseError({ code, type: 'NAME', message: 'it failed' });

void t.test('lists each code once, with its name in the engine', async (t) => {
  const { clickhouse } = await testStores(t);
  const listed = Object.values(faultCodes).flatMap((codes) => Object.entries(codes));
  t.equal(new Set(listed.map(([code]) => code)).size, listed.length);
  const result = await clickhouse.query({
    query:
      'select toString(code) as listed, errorCodeToName(code) as name from (select arrayJoin({codes:Array(Int32)}) as code)',
    query_params: { codes: listed.map(([code]) => Number(code)) },
    format: 'JSONEachRow',
  });
  const names = await result.json<{ listed: string; name: string }>();
  t.strictSame(
    Object.fromEntries(names.map(({ listed: code, name }) => [code, name])),
    Object.fromEntries(listed),
  );
});

void t.test('decides by the class whether rows are kept, repeated or refused', (t) => {
  for (const [fault, codes] of Object.entries({ ...faultCodes, unknown: { 49: 'LOGICAL_ERROR' } })) {
    for (const [code, name] of Object.entries(codes)) {
      const error = errorOf(code);
      t.equal(clickHouseFault(error), fault, name);
      t.equal(isClickHouseAway(error), fault === 'unavailable');
      t.equal(isClickHouseDown(error), fault === 'unavailable' || fault === 'misconfigured');
      t.equal(isRowFault(error), fault === 'rows');
    }
  }
  t.equal(clickHouseFault(new Error('connect ECONNREFUSED')), 'unavailable');
  t.end();
});

void t.test('classifies the errors of the engine', async (t) => {
  const { clickhouse, clickhouseUrl } = await testStores(t);
  const lines = [Buffer.from('[1]\n')];
  t.equal(await faultOf(insertLines(clickhouse, { ...meterTable, name: 'nowhere' }, lines)), 'misconfigured');
  t.equal(
    await faultOf(insertLines(clickhouse, { ...meterTable, columns: ['none'] }, lines)),
    'misconfigured',
  );
  t.equal(await faultOf(insertLines(clickhouse, meterTable, lines)), 'rows');
  t.equal(await faultOf(insertBinary(clickhouse, meterTable, [])), 'none', 'an insert without rows succeeds');
  const other = openClickHouse(withDatabase(clickhouseUrl, 'no_such_database'), {
    name: 'test',
    connections: 1,
  });
  t.teardown(() => other.close());
  t.equal(await faultOf(insertBinary(other, meterTable, [])), 'misconfigured');
  const wrong = new URL(clickhouseUrl);
  wrong.password = 'wrong';
  const stranger = openClickHouse(wrong.href, { name: 'test', connections: 1 });
  t.teardown(() => stranger.close());
  t.equal(await faultOf(insertBinary(stranger, meterTable, [])), 'misconfigured');
});
