import { setTimeout as wait } from 'node:timers/promises';
import { createRandom, type Random } from '#bench/fleet/random.ts';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { ensureWallet } from '#shared/postgres/money/wallets.ts';
import { seedApiKey, seedCharger, seedNetwork, seedToken, seedUser } from '#shared/testing/seed.ts';
import { type Audit, audit } from './auditor.ts';
import { connectChargers } from './chargers.ts';
import { type Clients, createClients } from './clients.ts';
import type { Fault } from './faults.ts';
import { Promises } from './promises.ts';
import { Pulse, type Recovery } from './pulse.ts';
import { apiNames, type StoreUrls, startTopology, type Topology } from './topology.ts';

export interface ChaosOptions {
  stations: number;
  seed: number;
  /** Time of load before the first fault, in ms. */
  calmMs: number;
  /** Duration of a fault that lasts, in ms. */
  faultMs: number;
  /** Longest time that the system has to recover from a fault, in ms. */
  recoveryMs: number;
  /** No fault begins after this time of load, in ms. */
  durationMs: number;
  /** Directory for data and logs of the processes. */
  directory: string;
  /** Returns the faults, in their order. */
  chooseFaults(topology: Topology, random: Random): Fault[];
  onProgress(text: string): void;
}

export type ChaosStores = StoreUrls & { sql: Sql; clickhouse: ClickHouse };

/** Recovery from one fault; a fault that lasts has a duration. */
export interface FaultResult extends Recovery {
  name: string;
  /** Time of the injection (RFC 3339). */
  at: string;
  seconds: number;
}

export interface ChaosResult {
  faults: FaultResult[];
  audit: Audit;
  promises: Promises;
  /** P99 from sending to acknowledgement before the first fault, in ms. */
  calmP99Ms: number;
  /** Processes of the product that ended without being killed. */
  unexpectedExits: string[];
}

const pollMs = 200;

/** Starts the split topology, injects faults under load, and compares what was acknowledged with what is stored. */
export async function runChaos(stores: ChaosStores, options: ChaosOptions): Promise<ChaosResult> {
  options.onProgress('starting two gateways and two API processes');
  const topology = await startTopology(stores, options.directory);
  try {
    return await runOn(topology, stores, options);
  } finally {
    await topology.stop();
  }
}

async function runOn(topology: Topology, stores: ChaosStores, options: ChaosOptions): Promise<ChaosResult> {
  const random = createRandom(options.seed);
  const promises = new Promises();
  const pulse = new Pulse();
  const { chargers: records, idToken, ...operator } = await seed(stores.sql, options.stations);
  options.onProgress(`connecting ${options.stations} chargers`);
  const chargers = await connectChargers(topology, records, { idToken, promises, pulse, random });
  try {
    const chargerUuids = records.map(({ uuid }) => uuid);
    const clients = createClients(topology, { ...operator, chargerUuids }, promises, pulse);
    const enough = new AbortController();
    const startedAt = performance.now();
    const living = Promise.all([chargers.live(enough.signal), clients.live(enough.signal)]);
    await wait(options.calmMs);
    const calmP99Ms = pulse.calibrate(startedAt + options.calmMs / 2);
    const faults: FaultResult[] = [];
    for (const fault of options.chooseFaults(topology, random)) {
      if (performance.now() - startedAt > options.durationMs) break;
      options.onProgress(`fault ${faults.length + 1}: ${fault.name}`);
      faults.push(await injectAndMeasure(fault, pulse, options));
    }
    options.onProgress('comparing what was acknowledged with what is stored');
    enough.abort();
    await living;
    await settleCredits(stores.sql, clients, promises);
    const found = await audit({ ...stores, chargers: records }, promises, chargers.counters.commands);
    const unexpectedExits = Object.values(topology.products).flatMap(({ name, unexpectedExits: count }) =>
      Array.from({ length: count }, () => name),
    );
    return { faults, audit: found, promises, calmP99Ms, unexpectedExits };
  } finally {
    await chargers.close();
  }
}

/** Injects and heals a fault, and waits for the recovery. */
async function injectAndMeasure(fault: Fault, pulse: Pulse, options: ChaosOptions): Promise<FaultResult> {
  const at = new Date().toISOString();
  const startedAt = performance.now();
  const heal = fault.inject();
  if (fault.lasts) await wait(options.faultMs);
  heal();
  const endedAt = fault.lasts ? performance.now() : startedAt;
  const deadline = endedAt + options.recoveryMs;
  do await wait(pollMs);
  while (performance.now() < deadline && !pulse.isNormal(endedAt));
  const recovery = pulse.recovery(startedAt, endedAt, options.recoveryMs / 1000);
  return { name: fault.name, at, seconds: (endedAt - startedAt) / 1000, ...recovery };
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
  const user = await seedUser(sql, network.id);
  const opened = await ensureWallet(sql, allNetworks, { uuid: user.uuid });
  if (opened === null) throw new Error('no wallet was made');
  const chargers = Array.from({ length: stations }, () => seedCharger(sql, network.id, { connectors: 1 }));
  return {
    idToken: await seedToken(sql, network.id),
    key: await seedApiKey(sql, 'cpms', { networkIds: [network.id], scopes: grantableScopes }),
    walletUuid: opened.wallet.uuid,
    chargers: await Promise.all(chargers),
  };
}
