import { Counter, Gauge, type Registry } from 'prom-client';
import type { ApiDeps } from '#api/services/deps.ts';
import { minorDigits } from '#shared/pricing/currencies.ts';
import { countFleet } from '#shared/postgres/fleet/fleet-size.ts';
import { oldestPendingCost } from '#shared/postgres/charging/pending-costs.ts';
import { secondsSince } from '#shared/postgres/kernel/due-work.ts';
import { readJobLags } from '#shared/postgres/kernel/jobs.statements.ts';
import { oldestUnread } from '#shared/postgres/kernel/outbox.statements.ts';
import { readRunAges } from '#shared/postgres/kernel/periodic-runs.ts';
import { newestMovement, sumMovements } from '#shared/postgres/money/moved-money.ts';
import { oldestDueCdr } from '#shared/postgres/roaming/cdrs.statements.ts';

/** Minimum time in ms between two reads. */
const readEveryMs = 15_000;

/** Minimum time in ms between two counts of the fleet: a million chargers take PostgreSQL a second. */
const countEveryMs = 60_000;

/**
 * Adds metrics of the whole installation, read from PostgreSQL: chargers, background work, money. Each API process reports
 * the same values, except the counters, which begin with the process.
 */
export function measureInstallation(registry: Registry, { sql }: Pick<ApiDeps, 'sql'>): () => Promise<void> {
  const registers = [registry];
  const chargers = new Gauge({
    name: 'chargeway_chargers',
    help: 'Chargers by state and OCPP version; the same at every API process.',
    labelNames: ['state', 'version'],
    registers,
  });
  const waiting = new Gauge({
    name: 'chargeway_jobs_waiting',
    help: 'Background jobs that could run now, by name; the same at every API process.',
    labelNames: ['name'],
    registers,
  });
  const lag = new Gauge({
    name: 'chargeway_job_lag_seconds',
    help: 'Time that the oldest of these jobs waits, by name; the same at every API process.',
    labelNames: ['name'],
    registers,
  });
  const dueAge = new Gauge({
    name: 'chargeway_due_work_age_seconds',
    help: 'Age of the oldest work that is due, by job; 0: none is. The same at every API process.',
    labelNames: ['name'],
    registers,
  });
  const successAge = new Gauge({
    name: 'chargeway_hourly_job_age_seconds',
    help: 'Time since the latest success of each hourly job; the same at every API process.',
    labelNames: ['name'],
    registers,
  });
  const movements = new Counter({
    name: 'chargeway_wallet_movements_total',
    help: 'Movements of wallets since the start of the process, by cause and currency.',
    labelNames: ['cause', 'currency'],
    registers,
  });
  const moved = new Counter({
    name: 'chargeway_wallet_moved_total',
    help: 'Money that these movements brought or took, in the major unit of the currency.',
    labelNames: ['cause', 'currency'],
    registers,
  });
  let position: bigint | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let countedAt = Number.NEGATIVE_INFINITY;

  async function readMoney(): Promise<void> {
    const newest = await newestMovement(sql);
    const from = position ?? newest;
    for (const { cause, currency, movements: count, minor } of await sumMovements(sql, from, newest)) {
      movements.inc({ cause, currency }, count);
      moved.inc({ cause, currency }, Number(minor) / 10 ** minorDigits(currency));
    }
    position = newest;
  }

  async function readFleet(): Promise<void> {
    if (performance.now() - countedAt < countEveryMs) return;
    countedAt = performance.now();
    const fleet = await countFleet(sql);
    chargers.reset();
    for (const { state, ocppVersion, count } of fleet)
      chargers.set({ state, version: ocppVersion ?? 'none' }, count);
  }

  async function readJobs(): Promise<void> {
    const jobs = await readJobLags(sql);
    waiting.reset();
    lag.reset();
    for (const { name, waiting: count, lagSeconds } of jobs) {
      waiting.set({ name }, count);
      lag.set({ name }, lagSeconds);
    }
  }

  async function readDueWork(): Promise<void> {
    const oldest = {
      'session-pricer': oldestPendingCost(sql),
      cdrs: oldestDueCdr(sql),
      'session-facts': oldestUnread(sql, 'facts'),
    };
    const ages = await secondsSince(sql, Object.values(oldest));
    for (const [index, name] of Object.keys(oldest).entries()) dueAge.set({ name }, ages[index] ?? 0);
  }

  async function readHourlyJobs(): Promise<void> {
    const ages = await readRunAges(sql);
    successAge.reset();
    for (const { name, ageSeconds } of ages) successAge.set({ name }, ageSeconds);
  }

  return async () => {
    if (performance.now() - readAt < readEveryMs) return;
    readAt = performance.now();
    await Promise.all([readFleet(), readJobs(), readDueWork(), readHourlyJobs(), readMoney()]);
  };
}
