import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import type { Test } from 'tap';
import { buildApp } from '#api/app.ts';
import { buildConsole } from '#api/console/bundle.ts';
import { isConsoleBuilt } from '#api/console/dist.ts';
import { startJobs } from '#api/jobs/start.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { Simulations } from '#api/services/fleet/running-simulations.ts';
import { testDeps } from '#api/test/support/deps.ts';
import { simulateAt } from '#deploy/all-in-one/simulated-charger.ts';
import { type Rig, startRig } from '#gateway/test/support/rig.ts';
import type { Role } from '#shared/domain/access/roles.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { createLogger } from '#shared/log/log.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { seedApiKey } from '#shared/testing/seed.ts';
import { type BrowserOptions, openWindow, watchFaults } from './browser.ts';

/** The product, gateway, API and background work on loopback, with its console in a browser. */
export interface ConsoleRig extends Rig {
  /** Origin of the API. */
  origin: string;
  /** Key with every scope, in all networks. */
  key: string;
  /** Adds an operator of a role. */
  addOperator(role: Role): Promise<Login>;
  /** Opens a path of the console in a browser of its own, signed in with a key. */
  open(path: string, options?: OpenOptions): Promise<OpenPage>;
}

/** Account of an operator. */
export interface Login {
  email: string;
  password: string;
}

interface OpenOptions extends BrowserOptions {
  /** Credentials: the key with every scope when left out; null: nothing. */
  signIn?: Login | { apiKey: string } | null;
}

export interface OpenPage {
  page: Page;
  context: BrowserContext;
  /** Faults of the page so far. */
  faults: string[];
}

/**
 * Starts the product.
 * @param changed changes the dependencies of the API, by its origin.
 */
export async function startConsole(
  t: Test,
  changed: (origin: string, deps: ApiDeps) => Partial<ApiDeps> = () => ({}),
): Promise<ConsoleRig> {
  if (!(await isConsoleBuilt())) await buildConsole();
  // One thread: each imports the gateway, for half a second of CPU time.
  const rig = await startRig(t, { SHARDS: '1' });
  const deps = await testDeps(t, rig.stores, rig.bus);
  const log = createLogger('api', 'error');
  const simulations = new Simulations({ max: 2, log, connect: simulateAt(rig.ocppUrl) });
  t.teardown(() => simulations.close());
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const app = await buildApp({ ...deps, ...changed(origin, deps), simulations, log });
  t.teardown(() => app.close());
  const jobs = await startJobs({ ...deps, log }, deps);
  t.teardown(() => jobs.stop());
  await app.listen({ host: '127.0.0.1', port });
  const key = await seedApiKey(rig.stores.sql, 'cpms', { scopes: grantableScopes });
  return {
    ...rig,
    origin,
    key,
    async addOperator(role) {
      const login = { email: `ada-${randomUUID()}@example.com`, password: 'correct horse battery' };
      const response = await fetch(`${origin}/cpms/v1/operators`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ ...login, name: 'Ada', role }),
      });
      if (!response.ok) throw new Error(await response.text());
      return login;
    },
    async open(path, { signIn = { apiKey: key }, ...options } = {}) {
      const context = await openWindow(t, options);
      if (signIn !== null) {
        const response = await context.request.post(`${origin}/cpms/v1/auth/sessions`, {
          data: signIn,
          headers: { origin },
        });
        if (!response.ok()) throw new Error(await response.text());
      }
      const page = context.pages()[0] ?? (await context.newPage());
      const faults = watchFaults(page, origin);
      await page.goto(`${origin}/console${path}`);
      return { page, context, faults };
    },
  };
}
