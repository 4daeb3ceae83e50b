import { randomUUID } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import type { Test } from 'tap';
import type { AppDeps } from '#api/app.ts';
import type { App } from '#api/plugins/app-instance.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import type { Bus } from '#shared/bus/contract.ts';
import { openBus } from '#shared/bus/open.ts';
import { type CommandReply, type CommandRequest, gatewayChannel } from '#shared/domain/commands/commands.ts';
import { allPublicScopes } from '#shared/domain/access/public-scopes.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { hashSecret, newApiKey } from '#shared/domain/kernel/secrets.ts';
import { insertApiKey, type NewApiKey } from '#shared/postgres/access/api-keys.statements.ts';
import { ensureNetwork, type NetworkRecord } from '#shared/postgres/fleet/networks.statements.ts';
import { closeApi, openApi, resetApi } from './kept-api.ts';
import { type StoreOptions, type TestStores, testStores } from '#shared/testing/stores.ts';

/** An API over stores of its own, two networks, and a second member on its bus that plays the gateway. */
export interface TestApi {
  app: App;
  stores: TestStores;
  /** The API's member of the bus. */
  bus: Bus;
  /** Dependencies of its services. */
  deps: ApiDeps;
  /** The gateway's member. */
  shard: Bus;
  /** All that was logged. */
  log: () => string;
  network: NetworkRecord;
  otherNetwork: NetworkRecord;
  /** Sends a request with a key; `json` is the parsed answer. */
  call(key: string | null, request: InjectOptions): Promise<Answer>;
}

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  /** The parsed body; empty when it is no JSON. */
  json: Json;
  text: string;
}

/** Parsed answer, in which any name can be read. */
export interface Json {
  [name: string]: Json;
}

/** Casts a value of an answer to an array. */
export function items(json: Json | undefined): Json[] {
  if (!Array.isArray(json)) throw new TypeError(`no array: ${JSON.stringify(json)}`);
  return json as Json[];
}

/**
 * Starts an API without listening. Without changed dependencies it is the application of an earlier test, over the same databases.
 */
export async function startTestApi(
  t: Test,
  changed: Partial<AppDeps> = {},
  options: StoreOptions = {},
): Promise<TestApi> {
  const isChanged = Object.keys(changed).length > 0;
  const stores = await testStores(t, { purpose: isChanged ? 'changed-api' : 'api', ...options });
  const kept = isChanged
    ? await openApi(stores, changed)
    : await stores.keep('api', { open: () => openApi(stores), reset: resetApi, close: closeApi });
  const shard = await openBus({ localName: kept.localName });
  kept.begin(t);
  t.teardown(async () => {
    // A failed test shows the errors of the API that it does not expect.
    if (!t.passing())
      for (const line of kept.lines) if (line.includes('"level":50')) process.stderr.write(line);
    if (isChanged) await closeApi(kept);
    await shard.close();
  });
  const { app, bus, deps, lines } = kept;
  const { sql } = stores;
  return {
    app,
    stores,
    bus,
    deps,
    shard,
    log: () => lines.join(''),
    network: await ensureNetwork(sql, { slug: 'north', name: 'North' }),
    otherNetwork: await ensureNetwork(sql, { slug: 'south', name: 'South' }),
    call: (key, request) => callApp(app, key, request),
  };
}

/** Sends a request with a key to an API. */
export async function callApp(app: App, key: string | null, request: InjectOptions): Promise<Answer> {
  const headers = { ...request.headers, ...(key !== null && { 'x-api-key': key }) };
  const response = await app.inject({ ...request, headers });
  const isJson = /[/+]json\b/.test(String(response.headers['content-type']));
  return {
    status: response.statusCode,
    headers: response.headers,
    json: isJson ? response.json<Json>() : {},
    text: response.body,
  };
}

/** Mints a key with every scope of its family, by default of the operator API; returns its secret. */
export async function mintKey(
  api: Pick<TestApi, 'stores' | 'network'>,
  changed: Partial<NewApiKey> = {},
): Promise<string> {
  const apiFamily = changed.apiFamily ?? 'cpms';
  const secret = newApiKey(apiFamily);
  await insertApiKey(api.stores.sql, {
    apiFamily,
    secretHash: hashSecret(secret),
    keyPrefix: secret.slice(0, 12),
    last4: secret.slice(-4),
    name: 'test',
    unrestricted: false,
    networkIds: [api.network.id],
    userId: null,
    scopes: apiFamily === 'cpms' ? grantableScopes : allPublicScopes,
    ...changed,
  });
  return secret;
}

/** Fields of a new charger that the tests use. */
export interface Registered {
  id: string;
  networkId: number;
  ocppUrl: string;
  ocppPassword: string;
}

/** Registers a charger through the API. */
export async function register(
  api: TestApi,
  key: string,
  body: Record<string, unknown>,
): Promise<Registered> {
  const answer = await api.call(key, { method: 'POST', url: '/cpms/v1/chargers', payload: body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.json));
  return answer.json['data'] as unknown as Registered;
}

/** Holds a charger's socket, as a shard of the gateway would, and answers each command with `reply`. */
export async function holdCharger(
  api: TestApi,
  uid: string,
  reply: (request: CommandRequest) => CommandReply | Promise<CommandReply>,
): Promise<CommandRequest[]> {
  const taken: CommandRequest[] = [];
  await api.shard.respond(gatewayChannel(api.shard.node), async (message) => {
    taken.push(message as CommandRequest);
    return reply(message as CommandRequest);
  });
  await api.shard.presence.claim(uid, randomUUID());
  return taken;
}

/** Reply of a shard when the charger accepted. */
export const accepted: CommandReply = {
  ok: true,
  ocppVersion: '1.6',
  action: 'Reset',
  result: { accepted: true, status: 'Accepted', payload: {}, transactionId: null },
};
