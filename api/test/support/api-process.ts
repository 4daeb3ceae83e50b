import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { Test } from 'tap';
import { type AppDeps, buildApp } from '#api/app.ts';
import { openServiceDeps } from '#api/open-deps.ts';
import type { App } from '#api/plugins/app-instance.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import type { Bus } from '#shared/bus/contract.ts';
import { openBus } from '#shared/bus/open.ts';
import { primaryReads } from '#shared/postgres/kernel/replica.ts';
import { createLogger } from '#shared/log/log.ts';
import type { TestStores } from '#shared/testing/stores.ts';
import { testSettings } from './deps.ts';

/** API over stores that others use as well, as one of several processes over Redis. */
export interface ApiProcess {
  app: App;
  bus: Bus;
  deps: ApiDeps;
  stop(): Promise<void>;
}

/** Starts one more API on stores, with a bus connection of its own. */
export async function startApiProcess(
  t: Test,
  { sql, clickhouse, redisUrl }: TestStores,
  changed: Partial<AppDeps> = {},
): Promise<ApiProcess> {
  const bus = await openBus({ redisUrl, localName: 'none' });
  const log = createLogger('test', 'silent');
  const { deps, close } = await openServiceDeps({
    sql,
    sessionSql: sql,
    staleReads: primaryReads(sql),
    clickhouse,
    bus,
    settings: testSettings,
    log,
  });
  const silent = pino({ level: 'error' }, new Writable({ write: (_chunk, _encoding, done) => done() }));
  const app = await buildApp({ ...deps, log: silent, ...changed });
  let stopping: Promise<void> | null = null;
  const stop = async () => {
    await app.close();
    await close();
    await bus.close();
  };
  const stopOnce = () => (stopping ??= stop());
  t.teardown(stopOnce);
  return { app, bus, deps, stop: stopOnce };
}
