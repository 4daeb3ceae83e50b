import t from 'tap';
import type { StaleReads } from '#shared/postgres/kernel/replica.ts';
import { mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';

void t.test('reads reports and extracts of the past, and nothing newer, from a replica', async (t) => {
  let reads = 0;
  let api: TestApi | null = null;
  const staleReads: StaleReads = {
    read(query) {
      reads += 1;
      if (api === null) throw new Error('the API does not run yet');
      return query(api.stores.sql);
    },
    age: () => 0,
  };
  api = await startTestApi(t, { staleReads });
  const operator = await mintKey(api);
  const driver = await mintKey(api, { apiFamily: 'emsp' });
  const now = Date.now();
  const at = (ago: number) => new Date(now - ago).toISOString();
  const past = `from=${at(86_400_000)}&to=${at(3_600_000)}`;
  const recent = `from=${at(86_400_000)}&to=${at(0)}`;
  const cases: [path: string, fromReplica: boolean][] = [
    [`/emsp/v1/reports/export?type=sessions-summary&${recent}`, true],
    [`/cpms/v1/analytics/utilization?${recent}`, true],
    [`/cpms/v1/exports/sessions?${past}`, true],
    [`/cpms/v1/exports/sessions?${recent}`, false],
    [`/cpms/v1/exports/cdrs?${past}`, true],
    [`/cpms/v1/exports/cdrs?${recent}`, false],
    [`/cpms/v1/audit-log/export?${past}`, true],
    [`/cpms/v1/audit-log/export?${recent}`, false],
    ['/cpms/v1/audit-log', false],
    ['/cpms/v1/sessions', false],
    ['/cpms/v1/chargers', false],
  ];
  for (const [path, fromReplica] of cases) {
    reads = 0;
    const { status } = await api.call(path.startsWith('/emsp') ? driver : operator, { url: path });
    t.same({ status, fromReplica: reads > 0 }, { status: 200, fromReplica }, path.replace(/\?.*/, ''));
  }
});
