import t from 'tap';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';

interface Parameter {
  name: string;
  in: string;
  schema: { type: string; format?: string };
}

/**
 * Returns values that are invalid for such a parameter: beyond numbers, beyond times, beyond text, and
 * unknown cursors.
 */
function badFor({ name, schema }: Parameter): string[] {
  if (name === 'cursor') {
    return [
      '0.2147483648',
      '0.9223372036854775807',
      '0.18446744073709551615',
      '253402300800000.1',
      '999999999999999.1',
      '1795822724343.007',
      '01795822724343.7',
    ].map((text) => Buffer.from(text).toString('base64url'));
  }
  if (schema.type === 'integer') return ['', '1e400', '-1e400', '9'.repeat(30)];
  if (schema.format === 'date-time') return ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-14:00'];
  return ['\u0000', '__proto__', '00112233', '%', "' or 1=1 --"];
}

const api = await startTestApi(t);
const document = (await api.call(null, { url: '/openapi.json' })).json;

/** Returns the reads of a family at this id, with the parameters of the query. Streams are left out: they have no end. */
function readsOf(family: 'cpms' | 'emsp', id: string): { url: string; parameters: Parameter[] }[] {
  const reads = Object.entries(document['paths'] ?? {}).filter(
    ([path, { get }]) => path.startsWith(`/${family}/v1/`) && get !== undefined && !path.endsWith('/live'),
  );
  return reads.map(([path, { get }]) => {
    const parameters = (get?.['parameters'] ?? []) as unknown as Parameter[];
    return {
      url: path.replaceAll(/\{\w+\}/g, id),
      parameters: parameters.filter((parameter) => parameter.in === 'query'),
    };
  });
}

for (const family of ['cpms', 'emsp'] as const) {
  void t.test(`no query makes a read of /${family}/v1 fail`, async (t) => {
    const { uuid } = await seedCharger(api.stores.sql, api.network.id, { connectors: 1 });
    const key = await mintKey(api, { apiFamily: family });
    const reads = readsOf(family, uuid);
    t.ok(reads.length > 20);
    for (const { url, parameters } of reads) {
      const queries = parameters.flatMap((parameter) =>
        badFor(parameter).map((value) => `${url}?${parameter.name}=${encodeURIComponent(value)}`),
      );
      const answers = await Promise.all(queries.map((query) => api.call(key, { url: query })));
      const failed = queries.filter((_query, at) => (answers[at]?.status ?? 0) >= 500);
      t.same(failed, [], url);
    }
  });
}

void t.test('answers all reads without ClickHouse except those that need it', async (t) => {
  const clickhouse = openClickHouse('http://127.0.0.1:1/none', { name: 'test', connections: 1 });
  t.teardown(() => clickhouse.close());
  const without = await startTestApi(t, { clickhouse });
  const { uuid } = await seedCharger(without.stores.sql, without.network.id, { connectors: 1 });
  const key = await mintKey(without);
  const said = { code: 'STORE_UNAVAILABLE', message: /readings, histories and analytics/ };
  const answers = await Promise.all(
    readsOf('cpms', uuid).map(async ({ url }) => ({ url, ...(await without.call(key, { url })) })),
  );
  const unavailable = answers.filter(({ status }) => status >= 500);
  for (const answer of unavailable) t.match(answer, { status: 503, json: { error: said } }, answer.url);
  const names = unavailable.map(({ url }) => url.replace(uuid, '').replace('/cpms/v1', ''));
  t.same(names.toSorted(), [
    '/analytics/availability',
    '/analytics/energy',
    '/analytics/heat-map',
    '/analytics/kpis',
    '/analytics/power',
    '/analytics/revenue',
    '/analytics/series',
    '/analytics/sessions',
    '/analytics/today',
    '/analytics/utilization',
    '/chargers//messages',
    '/chargers//messages/counts',
    '/chargers//meter-series',
    '/chargers//status-history',
    '/chargers//status-intervals',
  ]);
});
