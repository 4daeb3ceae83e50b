import type { Test } from 'tap';
import { buildApp } from '#api/app.ts';
import { buildConsole } from '#api/console/bundle.ts';
import { isConsoleBuilt } from '#api/console/sources.ts';
import { startJobs } from '#api/jobs/start.job.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { Simulations } from '#api/services/fleet/running-simulations.ts';
import { testDeps } from '#api/test/support/deps.ts';
import { simulateAt } from '#deploy/start/simulated-charger.ts';
import { type Rig, startRig } from '#gateway/test/support/rig.ts';
import { createLogger } from '#shared/log/log.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { kept } from '#shared/testing/kept.ts';

/** Test, or process, at whose end parts are closed. */
type Owner = Pick<Test, 'teardown'>;

/** The product, gateway, API and background work on loopback. */
export interface Product {
  rig: Rig;
  /** Origin of the API. */
  origin: string;
  /** Starts a further API with changed dependencies, by its origin; returns the origin. */
  startApi(owner: Owner, changed: (origin: string, deps: ApiDeps) => Partial<ApiDeps>): Promise<string>;
}

async function startProduct(owner: Owner): Promise<Product> {
  if (!(await isConsoleBuilt())) await buildConsole();
  // One thread: each imports the gateway, for half a second of CPU time.
  const rig = await startRig(owner, { SHARDS: '1' });
  const deps = await testDeps(owner, rig.stores, rig.bus);
  const log = createLogger('api', 'error');
  const simulations = new Simulations({ max: 10, log, connect: simulateAt(rig.ocppUrl) });
  owner.teardown(() => simulations.close());
  const startApi: Product['startApi'] = async (owner, changed) => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    // Windows sign in from addresses of their own: attempts to log in are limited for each.
    const app = await buildApp({
      ...deps,
      ...changed(origin, deps),
      simulations,
      trustedProxies: ['127.0.0.1'],
      log,
    });
    owner.teardown(() => app.close());
    await app.listen({ host: '127.0.0.1', port });
    return origin;
  };
  const origin = await startApi(owner, () => ({}));
  const jobs = await startJobs({ ...deps, log, longJobs: deps });
  owner.teardown(() => jobs.stop());
  return { rig, origin, startApi };
}

const keptProduct = kept(
  async () => {
    const ends: (() => unknown)[] = [];
    const product = await startProduct({ teardown: (end) => void ends.unshift(end) });
    return { product, ends };
  },
  async ({ ends }) => {
    for (const end of ends) await end();
  },
);

/** Returns the product of this process. Its tests have networks of their own. With `FRESH=1` each test starts one. */
export async function openProduct(t: Owner): Promise<Product> {
  return process.env['FRESH'] === '1' ? startProduct(t) : (await keptProduct()).product;
}
