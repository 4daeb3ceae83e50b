import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createRandom, type Random } from '#shared/simulator/random.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { ensureWallet, moveMoney, type WalletRecord } from '#shared/postgres/money/wallets.statements.ts';
import {
  seedApiKey,
  seedCharger,
  type SeededCharger,
  seedNetwork,
  seedTariff,
  seedToken,
  seedUser,
} from '#shared/testing/seed.ts';
import type { TestStores } from '#shared/testing/stores.ts';
import { type Audit, audit, totals } from './auditor.ts';
import { connectChargers } from './chargers.ts';
import { type Clients, createClients } from './clients.ts';
import type { Evidence } from './evidence.ts';
import type { Fault, FaultSites } from './faults.ts';
import { startListeners } from './listeners.ts';
import { startPartner } from './partner.ts';
import type { Product } from './product.ts';
import { Promises } from './promises.ts';
import { Pulse, type Recovery } from './pulse.ts';
import { RunScope } from './scope.ts';
import type { StoreUrls } from './store-links.ts';
import { tariffByReadings, tariffElements } from './tariff.ts';
import { apiNames, startTopology, type Topology } from './topology.ts';

export interface ChaosOptions {
  stations: number;
  seed: number;
  /** Time of load before the first fault, in ms. */
  calmMs: number;
  /** Duration of a fault that lasts, in ms. */
  faultMs: number;
  /** Longest time that the system has to recover from a fault, in ms. */
  recoveryMs: number;
  /** Shortest time from the beginning of a fault to that of the next one, in ms. */
  everyMs: number;
  /** Directory for data and logs of the processes. */
  directory: string;
  /** Checkout of an earlier version that the processes start with. */
  checkout?: string;
  /** Returns the faults, in their order. */
  chooseFaults(sites: FaultSites, random: Random): Fault[];
  onProgress(text: string): void;
}

type ChaosStores = TestStores & StoreUrls;

/** Recovery from one fault; a fault that lasts has a duration. */
export interface FaultResult extends Recovery {
  name: string;
  isPair: boolean;
  /** Time of the injection (RFC 3339). */
  at: string;
  seconds: number;
}

export interface ChaosResult {
  faults: FaultResult[];
  audit: Audit;
  evidence: Evidence;
  /** P99 from sending to acknowledgement before the first fault, in ms. */
  calmP99Ms: number;
  /** Processes of the product that ended without being killed. */
  unexpectedExits: string[];
  /** Processes that ended at their start because a store was unavailable, and were started again. */
  failedStarts: string[];
}

const pollMs = 200;
/** Readings, deliveries and pushes that are late count as lost when none arrives for this time after the load. */
const silentMs = 60_000;
const settlingPauseMs = 1000;

/** Drivers whose wallets pay sessions. */
const drivers = 50;

/** Starts the split topology, injects faults under load, and compares what was acknowledged with what is stored. */
export async function runChaos(stores: ChaosStores, options: ChaosOptions): Promise<ChaosResult> {
  const scope = new RunScope();
  try {
    options.onProgress('starting two gateways and two API processes');
    const topology = await startTopology(stores, options.directory, options.checkout);
    scope.teardown(() => topology.stop());
    if ('refusal' in topology.disk) options.onProgress(`no fault of a full disk: ${topology.disk.refusal}`);
    return await runOn(scope, topology, stores, options);
  } finally {
    await scope.end();
  }
}

async function runOn(
  scope: RunScope,
  topology: Topology,
  stores: ChaosStores,
  options: ChaosOptions,
): Promise<ChaosResult> {
  const random = createRandom(options.seed);
  const promises = new Promises();
  const pulse = new Pulse();
  const { network, chargers: records, tokens, ...operator } = await seed(stores.sql, options.stations);
  const apiUrl = `http://127.0.0.1:${topology.fronts['api-1'].port}`;
  const partner = await startPartner(scope, stores, network, apiUrl);
  const listeners = await startListeners(scope, topology, operator.key);
  const lastEventBefore = await newestEvent(stores.sql);
  options.onProgress(`connecting ${options.stations} chargers`);
  const load = { tokens: { ...tokens, partner: partner.idToken }, promises, pulse, random };
  const chargers = await connectChargers(topology, records, load);
  scope.teardown(() => chargers.close());
  const clients = createClients(topology, { ...operator, chargers: records }, promises, pulse);
  const enough = new AbortController();
  const startedAt = performance.now();
  const living = Promise.all([chargers.live(enough.signal), clients.live(enough.signal)]);
  await wait(options.calmMs);
  const calmP99Ms = pulse.calibrate(startedAt + options.calmMs / 2);
  const faults: FaultResult[] = [];
  const databaseCrashes: number[] = [];
  const outside = { partner: partner.link, 'webhook receiver': listeners.webhookLink };
  // A random source of their own: the same seed gives the same faults.
  for (const fault of options.chooseFaults({ topology, outside }, createRandom(options.seed))) {
    const beginsAt = startedAt + options.calmMs + faults.length * options.everyMs;
    await wait(Math.max(0, beginsAt - performance.now()));
    options.onProgress(`fault ${faults.length + 1}: ${fault.name}`);
    if (fault.crashesDatabase === true) databaseCrashes.push(Date.now());
    faults.push(await injectAndMeasure(fault, pulse, options));
  }
  enough.abort();
  await living;
  await settleCredits(stores.sql, clients, promises);
  const evidence: Evidence = {
    networkId: network.id,
    chargers: records,
    promises,
    answeredCommands: chargers.answeredCommands(),
    listeners: listeners.deliveries,
    lastEventBefore,
    partner: partner.objects,
    databaseCrashes,
  };
  options.onProgress('comparing what was acknowledged with what is stored');
  const found = await auditSettled(stores, evidence);
  const products = Object.values(topology.products);
  const repeated = (count: (product: Product) => number): string[] =>
    products.flatMap((product) => Array.from({ length: count(product) }, () => product.name));
  return {
    faults,
    audit: found,
    evidence,
    calmP99Ms,
    unexpectedExits: repeated((product) => product.unexpectedExits),
    failedStarts: repeated((product) => product.failedStarts),
  };
}

/** Compares until nothing is missing any more, or what is missing becomes no less for a minute. */
async function auditSettled(stores: TestStores, evidence: Evidence): Promise<Audit> {
  let least = { lost: Number.POSITIVE_INFINITY, at: 0 };
  for (;;) {
    const found = await audit(stores, evidence);
    const { lost } = totals(found);
    const now = performance.now();
    if (lost < least.lost) least = { lost, at: now };
    if (lost === 0 || now > least.at + silentMs) return found;
    await wait(settlingPauseMs);
  }
}

async function newestEvent(sql: Sql): Promise<number> {
  const [row] = await sql<{ id: number }[]>`select coalesce(max(id), 0)::float8 as id from outbox`;
  return row?.id ?? 0;
}

/** Injects and heals a fault, and waits for the recovery. */
async function injectAndMeasure(fault: Fault, pulse: Pulse, options: ChaosOptions): Promise<FaultResult> {
  const at = new Date().toISOString();
  const startedAt = performance.now();
  const heal = await fault.inject();
  if (fault.lasts) await wait(options.faultMs);
  heal();
  const endedAt = fault.lasts ? performance.now() : startedAt;
  const deadline = endedAt + options.recoveryMs;
  do await wait(pollMs);
  while (performance.now() < deadline && !pulse.isNormal(endedAt));
  const recovery = pulse.recovery(startedAt, endedAt, options.recoveryMs / 1000);
  const isPair = fault.isPair === true;
  return { name: fault.name, isPair, at, seconds: (endedAt - startedAt) / 1000, ...recovery };
}

/** Repeats credits without an acknowledgement, as their clients would. */
async function settleCredits(sql: Sql, clients: Clients, promises: Promises): Promise<void> {
  // Claims of interrupted requests end by themselves after two minutes.
  await sql`update idempotency_keys set claimed_until = now()`;
  for (const key of promises.openCredits) {
    if (await clients.credit(apiNames[0], key)) promises.openCredits.delete(key);
  }
}

async function seed(sql: Sql, stations: number) {
  const network = await seedNetwork(sql);
  await seedTariff(sql, network.id, tariffElements);
  const chargers = await Promise.all(
    Array.from({ length: stations }, () => seedCharger(sql, network.id, { connectors: 1 })),
  );
  await assignTariffByReadings(sql, network.id, chargers);
  const credited = await seedWallet(sql, await seedUser(sql, network.id));
  return {
    network,
    tokens: {
      anonymous: await seedToken(sql, network.id),
      drivers: await Promise.all(Array.from({ length: drivers }, () => seedDriver(sql, network.id))),
    },
    key: await seedApiKey(sql, 'cpms', { networkIds: [network.id], scopes: grantableScopes }),
    walletUuid: credited.uuid,
    chargers,
  };
}

/** Gives every tenth charger the tariff whose price needs readings. */
async function assignTariffByReadings(sql: Sql, networkId: number, chargers: readonly SeededCharger[]) {
  const ids = chargers.filter((_, index) => index % 10 === 7).map(({ id }) => id);
  await sql`
    with made as (
      insert into tariffs (network_id, name, currency, elements)
      values (${networkId}, 'By readings', 'EUR', ${sql.json(tariffByReadings as never)}) returning id
    )
    insert into tariff_assignments (tariff_id, charger_id)
    select made.id, charger_id from made, unnest(${ids}::integer[]) as charger_id`;
}

async function seedWallet(sql: Sql, user: { uuid: string }): Promise<WalletRecord> {
  const opened = await ensureWallet(sql, allNetworks, user);
  if (opened === null) throw new Error('no wallet was made');
  return opened.wallet;
}

/** Makes a driver with enough money for a run; returns the token. */
async function seedDriver(sql: Sql, networkId: number): Promise<string> {
  const user = await seedUser(sql, networkId);
  const { id } = await seedWallet(sql, user);
  await sql.begin((transaction) =>
    moveMoney(transaction, id, {
      cause: 'TOP_UP',
      causeId: randomUUID(),
      counter: 'cash',
      amountMinor: 100_000_000n,
      mayOwe: false,
    }),
  );
  return seedToken(sql, networkId, { userId: user.id });
}
