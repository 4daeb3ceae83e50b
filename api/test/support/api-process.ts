import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { Test } from 'tap';
import { type AppDeps, buildApp } from '#api/app.ts';
import type { App } from '#api/plugins/app-instance.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import type { Bus } from '#shared/bus/contract.ts';
import { openBus } from '#shared/bus/open.ts';
import type { TestStores } from '#shared/testing/stores.ts';
import { openTestDeps } from './deps.ts';

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
  stores: TestStores,
  changed: Partial<AppDeps> = {},
): Promise<ApiProcess> {
  const bus = await openBus({ redisUrl: stores.redisUrl, localName: 'none' });
  const { deps, close } = await openTestDeps(stores, bus, changed.clock);
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
