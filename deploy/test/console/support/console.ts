import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import type { ApiDeps } from '#api/services/deps.ts';
import type { Rig } from '#gateway/test/support/rig.ts';
import type { Role } from '#shared/domain/access/roles.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { seedApiKey, seedNetwork } from '#shared/testing/seed.ts';
import { openWindow, watchFaults, type Window, type WindowOptions } from './browser.ts';
import { openProduct } from './product.ts';

/** The product with its console in a browser, for a test in a network of its own. */
export interface ConsoleRig extends Rig {
  /** Origin of the API. */
  origin: string;
  /** Key with every scope in the test's network. */
  key: string;
  /** Key with every scope in all networks, which other tests use too. */
  unrestrictedKey: string;
  /** Adds an operator of a role, with the networks of a key: by default the test's network. */
  addOperator(role: Role, key?: string): Promise<Login>;
  /** Adds a key of the operator API with some scopes in the test's network. */
  addKey(scopes: readonly string[]): Promise<string>;
  /** Sends a request to the operator API, by default with the key of the network. Returns `data` of its response. */
  call<Data = { id: string }>(method: string, path: string, body: object, key?: string): Promise<Data>;
  /** Opens a path of the console in a window of its own, signed in with the key of the network. */
  open(path: string, options?: OpenOptions): Promise<OpenPage>;
}

/** Account of an operator. */
export interface Login {
  email: string;
  password: string;
}

interface OpenOptions extends WindowOptions {
  /** Credentials: the key of the test's network when left out; null: nothing. */
  signIn?: Login | { apiKey: string } | null;
}

export interface OpenPage extends Window {
  /** Faults of the page so far. */
  faults: string[];
  /** Leads to a path of the console as a link does, without loading the console again. */
  visit: (path: string) => Promise<void>;
}

let windows = 0;

/** Returns an address of documentation for a window, one of 65,536 (RFC 3849). */
function nextAddress(): string {
  windows += 1;
  return `2001:db8:0:${windows.toString(16)}::1`;
}

/**
 * Opens the console of the product that this process keeps.
 * @param changed changes the dependencies of the API, by its origin, which is another then.
 */
export async function startConsole(
  t: Test,
  changed?: (origin: string, deps: ApiDeps) => Partial<ApiDeps>,
): Promise<ConsoleRig> {
  const product = await openProduct(t);
  const { rig } = product;
  const { sql } = rig.stores;
  const origin = changed === undefined ? product.origin : await product.startApi(t, changed);
  const network = await seedNetwork(sql);
  const addKey = (scopes: readonly string[]) => seedApiKey(sql, 'cpms', { networkIds: [network.id], scopes });
  const key = await addKey(grantableScopes);
  const call: ConsoleRig['call'] = async (method, path, body, by = key) => {
    const response = await fetch(`${origin}/cpms/v1${path}`, {
      method,
      headers: { 'x-api-key': by, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return ((await response.json()) as { data: never }).data;
  };
  return {
    ...rig,
    network,
    origin,
    key,
    unrestrictedKey: await seedApiKey(sql, 'cpms', { scopes: grantableScopes }),
    addKey,
    call,
    async addOperator(role, by) {
      const login = { email: `ada-${randomUUID()}@example.com`, password: 'correct horse battery' };
      await call('POST', '/operators', { ...login, name: 'Ada', role }, by);
      return login;
    },
    client(charger, version) {
      const client = rig.client(charger, version);
      t.teardown(() => client.close({ force: true }));
      return client;
    },
    async connect(version) {
      const connected = await rig.connect(version, network);
      t.teardown(() => connected.client.close({ force: true }));
      return connected;
    },
    async open(path, { signIn = { apiKey: key }, ...options } = {}) {
      const { page, context } = await openWindow(t, origin, options);
      if (signIn !== null) {
        const response = await context.request.post(`${origin}/cpms/v1/auth/sessions`, {
          data: signIn,
          headers: { origin, 'x-forwarded-for': nextAddress() },
        });
        if (!response.ok()) throw new Error(await response.text());
      }
      const faults = watchFaults(page, origin);
      await page.goto(`${origin}/console${path}`);
      const visit = (to: string): Promise<void> =>
        page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/console${to}`)})`);
      return { page, context, faults, visit };
    },
  };
}
