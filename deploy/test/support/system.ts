import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Test } from 'tap';
import { createFleetCounters } from '#shared/simulator/counters.ts';
import type { Station } from '#shared/simulator/station.ts';
import { createStation16 } from '#shared/simulator/station16.ts';
import { createStation201 } from '#shared/simulator/station201.ts';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import { noSession } from '#shared/clickhouse/meter-samples.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { testEnvironment } from '#shared/testing/config.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { seedCharger, type SeededCharger } from '#shared/testing/seed.ts';
import type { TestStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';

/** A process of the product, started as npm starts it. */
export interface RunningProcess {
  child: ChildProcess;
  output(): string;
  /** Resolves to the exit code when the process is gone; null when a signal ended it. */
  exited: Promise<number | null>;
  /** Sends a signal and resolves when the process is gone, with its exit code. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts an entry point, such as `gateway/main.ts`; it is killed at the end of the test. */
export function startProcess(
  t: Pick<Test, 'teardown'>,
  entry: string,
  env: Record<string, string>,
  args: readonly string[] = [],
): RunningProcess {
  const child = spawn(process.execPath, ['deploy/run.js', entry, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const kill = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return exited;
  };
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) await kill('SIGKILL');
  });
  return { child, output: () => output, exited, kill };
}

/** Resolves when a health address answers 200; fails with the process's output when it ends first. */
export async function untilHealthy(process: RunningProcess, url: string): Promise<void> {
  const isHealthy = async () => {
    if (process.child.exitCode !== null) throw new Error(`the process ended:\n${process.output()}`);
    try {
      return (await fetch(url)).ok;
    } catch {
      return false;
    }
  };
  await until(`a healthy ${url}`, isHealthy, () => process.output().length);
}

export interface GatewayProcess extends RunningProcess {
  ocppUrl: string;
}

/** The environment of a gateway process on the stores of a test. */
export async function gatewayEnvironment(
  t: Pick<Test, 'teardown'>,
  stores: TestStores,
): Promise<Record<string, string>> {
  return { ...(await testEnvironment(t, stores)), GATEWAY_METRICS_PORT: String(await freePort()) };
}

/** Starts a gateway process and waits until it listens. */
export async function startGatewayProcess(
  t: Pick<Test, 'teardown'>,
  env: Record<string, string>,
): Promise<GatewayProcess> {
  const started = startProcess(t, 'gateway/main.ts', env);
  await untilHealthy(started, `http://127.0.0.1:${env.GATEWAY_METRICS_PORT}/health/ready`);
  return { ...started, ocppUrl: `ws://127.0.0.1:${env.OCPP_PORT}/ocpp` };
}

/** Returns the number of chargers that a gateway reports, over all its processes and threads. */
export async function connectionsOf(env: Record<string, string>): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${env['GATEWAY_METRICS_PORT']}/metrics`);
  const lines = (await response.text()).matchAll(/^chargeway_ocpp_connections\{.*\} (\d+)$/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** A fleet of booted, charging stations, half of each version. */
export async function startFleet(
  t: Pick<Test, 'teardown'>,
  options: { sql: Sql; networkId: number; ocppUrl: string; size: number; idToken: string },
): Promise<{ chargers: SeededCharger[]; stations: Station[] }> {
  const counters = createFleetCounters();
  const chargers = await Promise.all(
    Array.from({ length: options.size }, () =>
      seedCharger(options.sql, options.networkId, { connectors: 1 }),
    ),
  );
  const stations = chargers.map(({ uid, password }, index) =>
    (index % 2 === 0 ? createStation16 : createStation201)({
      ocppUrl: options.ocppUrl,
      uid,
      password,
      connectors: 1,
      vendor: 'Test',
      model: 'Test',
      backoff: { baseMs: 50, maxMs: 400 },
      retryMs: 100,
      callDeadlineMs: 20_000,
      counters,
    }),
  );
  t.teardown(() => Promise.all(stations.map((station) => station.close())));
  await Promise.all(
    stations.map(async (station) => {
      await station.connect(20);
      await station.boot();
      await station.startSession({ idToken: options.idToken });
    }),
  );
  return { chargers, stations };
}

/** Readings that were acknowledged to chargers: `charger time energy`, once each. */
export class Acknowledged {
  readonly keys = new Set<string>();

  add(uid: string, sample: { timeMs: number; energyWh: number }): void {
    this.keys.add(`${uid} ${sample.timeMs} ${sample.energyWh}`);
  }

  /** Resolves when that many more have come. */
  async more(count: number): Promise<void> {
    const wanted = this.keys.size + count;
    await until(`${count} more acknowledged readings`, async () => this.keys.size >= wanted);
  }
}

/**
 * Returns the stored readings of running sessions in the same format, in the order of ClickHouse: repeats
 * would show.
 */
export async function storedSamples(clickhouse: ClickHouse, chargers: SeededCharger[]): Promise<string[]> {
  const uids = new Map(chargers.map(({ id, uid }) => [id, uid]));
  const result = await clickhouse.query({
    query: `
      select charger_id as chargerId, toUnixTimestamp64Milli(time) as timeMs, energy_wh as energyWh
      from meter_samples final where session_id != {noSession:UUID} and context = 'Sample.Periodic'`,
    query_params: { noSession },
    format: 'JSONEachRow',
  });
  const rows = await result.json<{ chargerId: number; timeMs: number; energyWh: number }>();
  return rows.map((row) => `${uids.get(row.chargerId)} ${row.timeMs} ${row.energyWh}`);
}

/**
 * The same, as soon as everything acknowledged is there: what ClickHouse did not take at once comes from the disk.
 */
export function storedInTheEnd(
  clickhouse: ClickHouse,
  chargers: SeededCharger[],
  acknowledged: Acknowledged,
): Promise<string[]> {
  return until('every acknowledged reading in ClickHouse', async () => {
    const stored = await storedSamples(clickhouse, chargers).catch(() => []);
    const found = new Set(stored);
    return [...acknowledged.keys].every((key) => found.has(key)) && stored;
  });
}
