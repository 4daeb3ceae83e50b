import t from 'tap';
import type { LinkState } from '#deploy/chaos/link.ts';
import { openStoreLinks, type StoreName } from '#deploy/chaos/store-links.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { gatewayEnvironment, startProcess } from './support/system.ts';

const stores = await testStores(t);

const waits = 'Redis is unavailable; this process waits for it';

/** Processes that have a start of their own. */
const processes = {
  'a gateway': 'gateway/main.ts',
  'an API': 'api/main.ts',
  'the system in one process': 'deploy/start/start.ts',
};

for (const [name, entry] of Object.entries(processes)) {
  void t.test(`${name} ends during its start while PostgreSQL does not answer`, async (t) => {
    const links = await openStoreLinks(stores);
    t.teardown(() =>
      Promise.all(Object.values(links).flatMap((each) => each.links.map((link) => link.close()))),
    );
    const set = (store: StoreName, state: LinkState): void =>
      links[store].links.forEach((link) => link.set(state));
    const env = {
      ...(await gatewayEnvironment(t, stores)),
      PORT: String(await freePort()),
      LOG_LEVEL: 'info',
      DATABASE_URL: links.PostgreSQL.url,
      CLICKHOUSE_URL: links.ClickHouse.url,
      REDIS_URL: links.Redis.url,
    };
    // The stores are migrated when the process waits for Redis.
    set('Redis', { kind: 'cut' });
    const started = startProcess(t, entry, env);
    await until('the wait for Redis', async () => started.output().includes(waits));
    set('PostgreSQL', { kind: 'stalled' });
    set('Redis', { kind: 'open' });
    await until('a request without an answer', async () =>
      links.PostgreSQL.links.some(({ held }) => held > 0),
    );
    t.equal(
      await started.kill('SIGTERM'),
      0,
      'another exit code if it fails with the store, or is ended by force',
    );
    t.notMatch(started.output(), /listens|TIMEOUT|unavailable; the/);
  });
}
