import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RegisteredCharger } from '#bench/load/chargers.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { ClickHouseHttp } from './clickhouse-http.ts';
import { processUsage, type Usage } from './process-usage.ts';
import { type ProductProcess, startProductProcess } from './product-process.ts';
import { startStores, type Stores } from './stores.ts';
import type { OwnSystem, Role, SystemOptions, Topology } from './system.ts';

/** Start of one process of the product. */
interface ProcessPlan {
  role: Role;
  entry: string;
  env: Record<string, string>;
  healthUrl: string;
  metricsUrl: string;
  ocppUrl: string | null;
}

/** Maximum output of a tool in bytes: a line of 150 bytes for each charger. */
const maxBuffer = 64 * 2 ** 20;

/** Starts a fresh system: stores, the processes of the topology, and the network of the demo without its chargers. */
export async function startOwnSystem(topology: Topology, options: SystemOptions = {}): Promise<OwnSystem> {
  const directory = mkdtempSync(join(tmpdir(), 'chargeway-bench-'));
  // PostgreSQL does not run as root: its account must be able to enter.
  chmodSync(directory, 0o711);
  const removeDirectory = (): void => rmSync(directory, { recursive: true, force: true });
  let stores: Stores | null = null;
  const processes: RunningPlan[] = [];
  const stop = async (): Promise<void> => {
    await endAll(processes, 'SIGTERM');
    await stores?.stop();
    removeDirectory();
  };
  try {
    stores = await startStores(directory, topology === 'split');
    const storeEnv = storesEnvironment(stores);
    const home = join(directory, 'data');
    const tools = { ...storeEnv, PATH: process.env.PATH ?? '', DATA_DIR: home, LOG_LEVEL: 'warn' };
    const runTool = async (...args: string[]): Promise<string> =>
      (await promisify(execFile)(process.execPath, ['deploy/run.js', ...args], { env: tools, maxBuffer }))
        .stdout;
    const fill = async (what: string, options: unknown = null): Promise<unknown> =>
      JSON.parse(await runTool('deploy/demo/fill.ts', what, JSON.stringify(options)));
    const apiPort = await freePort();
    const apiUrl = `http://127.0.0.1:${apiPort}`;
    // Few stations of a closed loop stand for many.
    const common = { ...storeEnv, LOG_LEVEL: 'warn', CHARGER_CALLS_PER_SECOND: '1000000', ...options.env };
    const plans =
      topology === 'split'
        ? await splitPlans(common, home, apiPort, options.gateways ?? 1)
        : [await onePlan(common, home, apiPort)];
    if (topology === 'split') await runTool('deploy/start/bootstrap.ts');
    const startAll = async (): Promise<void> => {
      // Each process in turn: the first one migrates the stores.
      for (const plan of plans) processes.push(await startPlan(plan));
    };
    await startAll();
    const { tokens } = (await fill('seed')) as { tokens: string[] };
    const { operatorKey, emspKey } = JSON.parse(readFileSync(join(home, 'credentials.json'), 'utf8')) as {
      operatorKey: string;
      emspKey: string;
    };
    const running = stores;
    return {
      topology,
      apiUrl,
      get ocppUrls() {
        return plans.flatMap(({ ocppUrl }) => ocppUrl ?? []);
      },
      operatorKey,
      emspKey,
      networkId: null,
      tokens,
      stores: running,
      clickhouse: new ClickHouseHttp(running.clickhouseUrl),
      versions: await running.versions(),
      usage: () => ({ ...running.usage(), ...usageByRole(processes) }),
      async metrics() {
        const texts = plans
          .filter(({ ocppUrl }) => ocppUrl !== null)
          .map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text());
        return (await Promise.all(texts)).join('\n');
      },
      async addGateway() {
        const number = plans.filter(({ role }) => role === 'gateway').length + 1;
        const plan = await gatewayPlan(common, home, number);
        plans.push(plan);
        processes.push(await startPlan(plan));
        return plan.ocppUrl ?? '';
      },
      async addChargers(count) {
        const added = await fill('chargers', { count, prefix: 'FLEET' });
        return (added as Omit<RegisteredCharger, 'number'>[]).map((charger, number) => ({
          ...charger,
          number,
        }));
      },
      async writeEvents(load) {
        return Number(await fill('events', load));
      },
      async fillHistory(size) {
        await fill('history', size);
      },
      async restart() {
        await endAll(processes, 'SIGKILL');
        await startAll();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface RunningPlan extends ProductProcess {
  role: Role;
}

async function startPlan({ role, entry, env, healthUrl }: ProcessPlan): Promise<RunningPlan> {
  return { ...(await startProductProcess(entry, env, healthUrl)), role };
}

async function endAll(processes: RunningPlan[], signal: NodeJS.Signals): Promise<void> {
  await Promise.all(processes.splice(0).map((process) => process.end(signal)));
}

/** Sums the usage of processes of one role. */
function usageByRole(processes: readonly RunningPlan[]): Partial<Record<Role, Usage>> {
  const total: Partial<Record<Role, Usage>> = {};
  for (const { role, pid } of processes) {
    const usage = processUsage(pid);
    const before = total[role];
    total[role] = {
      cpuSeconds: usage.cpuSeconds + (before?.cpuSeconds ?? 0),
      residentBytes: usage.residentBytes + (before?.residentBytes ?? 0),
    };
  }
  return total;
}

function storesEnvironment(stores: Stores): Record<string, string> {
  return {
    DATABASE_URL: stores.databaseUrl,
    CLICKHOUSE_URL: stores.clickhouseUrl,
    ...(stores.redisUrl !== null && { REDIS_URL: stores.redisUrl }),
  };
}

async function onePlan(common: Record<string, string>, home: string, apiPort: number): Promise<ProcessPlan> {
  const ocppPort = await freePort();
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  return {
    role: 'product',
    entry: 'deploy/start/start.ts',
    env: { ...common, DATA_DIR: home, PORT: String(apiPort), OCPP_PORT: String(ocppPort) },
    healthUrl: `${apiUrl}/health/ready`,
    metricsUrl: `${apiUrl}/metrics`,
    ocppUrl: ocppUrlOf(ocppPort),
  };
}

async function splitPlans(
  common: Record<string, string>,
  home: string,
  apiPort: number,
  gateways: number,
): Promise<ProcessPlan[]> {
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const plans: ProcessPlan[] = [
    {
      role: 'api',
      entry: 'api/main.ts',
      env: { ...common, DATA_DIR: home, PORT: String(apiPort) },
      healthUrl: `${apiUrl}/health/ready`,
      metricsUrl: `${apiUrl}/metrics`,
      ocppUrl: null,
    },
  ];
  for (let number = 1; number <= gateways; number++) plans.push(await gatewayPlan(common, home, number));
  return plans;
}

async function gatewayPlan(
  common: Record<string, string>,
  home: string,
  number: number,
): Promise<ProcessPlan> {
  const [ocppPort, metricsPort] = [await freePort(), await freePort()];
  const metrics = `http://127.0.0.1:${metricsPort}`;
  return {
    role: 'gateway',
    entry: 'gateway/main.ts',
    env: {
      ...common,
      DATA_DIR: `${home}-gateway-${number}`,
      OCPP_PORT: String(ocppPort),
      GATEWAY_METRICS_PORT: String(metricsPort),
    },
    healthUrl: `${metrics}/health/ready`,
    metricsUrl: `${metrics}/metrics`,
    ocppUrl: ocppUrlOf(ocppPort),
  };
}

function ocppUrlOf(port: number): string {
  return `ws://127.0.0.1:${port}/ocpp`;
}
