import { type Db, PgBoss } from 'pg-boss';
import { type JobName, type JobPayloads, jobPolicies } from '#shared/domain/kernel/jobs.ts';
import { type Clock, systemClock } from '#shared/domain/kernel/system-clock.ts';
import type { Queryable, Sql } from './client.ts';

const schema = 'jobs';

/** Time at which a job runs, and the key that merges it with others. */
export interface JobOptions {
  /** Earliest time; without it at once. */
  startAfter?: Date | undefined;
  /** Chosen by the caller, a uuid: the same job twice is one. */
  id?: string | undefined;
}

/** Interval in ms of the look for retried and delayed jobs, which no notification announces. */
export const lookMs = 3000;

/** Interval in seconds at which each worker looks by itself, while notifications arrive. The look above is the rule. */
const workerLookSeconds = 600;

/** Worker of a name. */
interface Worker {
  /** Null until pg-boss has started it. */
  id: string | null;
  isBusy: boolean;
}

/** Queues work in PostgreSQL: with the transaction of what causes it, so that neither is there without the other. */
export class JobQueue {
  readonly #boss: PgBoss;
  /** Wakes an idle worker of each name that has some. */
  readonly #wakes = new Map<JobName, () => void>();
  readonly #look: JobLook;

  private constructor(boss: PgBoss, sql: Sql, onError: (error: unknown) => void, clock: Clock) {
    this.#boss = boss;
    this.#look = startLook(sql, this.#wakes, onError, clock);
  }

  /**
   * Opens the queue. Its tables must exist (`installJobs`).
   * @param onError receives failures in the background, such as a lost server; the queue recovers by itself.
   */
  static async open(
    sql: Sql,
    onError: (error: unknown) => void,
    clock: Clock = systemClock,
  ): Promise<JobQueue> {
    const boss = new PgBoss({
      db: { ...database(sql), listen: (...args) => listen(sql, ...args) },
      schema,
      migrate: false,
      createSchema: false,
      schedule: false,
      useListenNotify: true,
    });
    boss.on('error', onError);
    await boss.start();
    return new JobQueue(boss, sql, onError, clock);
  }

  /** Queues a job within a transaction; it is run once that is committed. */
  async enqueue<Name extends JobName>(
    sql: Queryable,
    name: Name,
    payload: JobPayloads[Name],
    { startAfter, id }: JobOptions = {},
  ): Promise<void> {
    await this.#boss.send(name, payload, {
      db: database(sql),
      ...(startAfter !== undefined && { startAfter }),
      ...(id !== undefined && { id }),
    });
  }

  /** Runs the jobs of a name in this process, each once over all processes; one that throws is tried again. */
  async work<Name extends JobName>(
    name: Name,
    run: (payload: JobPayloads[Name]) => Promise<void>,
  ): Promise<void> {
    const workers: Worker[] = Array.from({ length: jobPolicies[name].concurrency }, () => ({
      id: null,
      isBusy: false,
    }));
    // One of them looks, and wakes the next when it finds a job.
    const wakeIdle = (): void => {
      const idle = workers.find(({ id, isBusy }) => id !== null && !isBusy);
      if (idle !== undefined) this.#wake(idle);
    };
    for (const worker of workers) await this.#startWorker(name, worker, wakeIdle, run);
    this.#wakes.set(name, wakeIdle);
  }

  async #startWorker<Name extends JobName>(
    name: Name,
    worker: Worker,
    wakeIdle: () => void,
    run: (payload: JobPayloads[Name]) => Promise<void>,
  ): Promise<void> {
    worker.id = await this.#boss.work<JobPayloads[Name]>(
      name,
      { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: workerLookSeconds },
      async (jobs) => {
        worker.isBusy = true;
        wakeIdle();
        try {
          for (const job of jobs) await run(job.data);
        } finally {
          worker.isBusy = false;
          // The next one may be due already: pg-boss would have it wait for the interval.
          this.#wake(worker);
        }
      },
    );
  }

  #wake({ id }: Worker): void {
    if (id !== null) this.#boss.notifyWorker(id);
  }

  /** Lets what runs end, for at most ten seconds; what does not is run again by others. */
  async close(): Promise<void> {
    await this.#look.stop();
    await this.#boss.stop({ graceful: true, close: false, timeout: 10_000 });
  }
}

/** Look for due jobs of all names. */
interface JobLook {
  /** Ends after the current look. */
  stop(): Promise<void>;
}

/** Looks for due jobs of the names that have workers, with one statement every `lookMs`. */
function startLook(
  sql: Sql,
  wakes: ReadonlyMap<JobName, () => void>,
  onError: (error: unknown) => void,
  clock: Clock,
): JobLook {
  let looking: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    for (const name of await listDueNames(sql, [...wakes.keys()])) wakes.get(name)?.();
  };
  const timer = clock.every(lookMs, () => {
    looking ??= look()
      .catch(onError)
      .finally(() => (looking = null));
  });
  return {
    async stop() {
      timer.cancel();
      await looking;
    },
  };
}

/** Returns those of these names that have a job to run now, by the condition of pg-boss. */
async function listDueNames(sql: Sql, names: JobName[]): Promise<JobName[]> {
  const rows = await sql<{ name: JobName }[]>`
    select n.name from unnest(${names}::text[]) as n(name)
    where exists (select from jobs.job j
      where j.name = n.name and j.state < 'active' and not j.blocked and j.start_after <= jobs.job_now())`;
  return rows.map(({ name }) => name);
}

/** Makes or renews the tables of the queue; one process at a time (`migratePostgres` holds the lock). */
export async function installJobs(sql: Sql): Promise<void> {
  const boss = new PgBoss({ db: database(sql), schema, supervise: false, schedule: false });
  await boss.start();
  for (const [name, { concurrency: _, ...policy }] of Object.entries(jobPolicies)) {
    const options = { ...policy, retryBackoff: true, notify: true };
    if ((await boss.getQueue(name)) === null) await boss.createQueue(name, options);
    else await boss.updateQueue(name, options);
  }
  await boss.stop({ graceful: false, close: false });
}

/** pg-boss over our own driver: no second one is connected. */
function database(sql: Queryable): Db {
  return {
    async executeSql(text, values) {
      // Without parameters several statements may come at once, BEGIN and COMMIT among them: on one connection.
      const rows =
        values === undefined || values.length === 0
          ? await runScript(sql, text)
          : await run(sql, text, values);
      return { rows: rows.flat() };
    },
  };
}

async function run(sql: Queryable, text: string, values: unknown[]): Promise<unknown[]> {
  const typed = values.map((value, index) => (isJson(text, index + 1) ? parsed(value) : value));
  return sql.unsafe(text, typed as never[]);
}

async function runScript(sql: Queryable, text: string): Promise<unknown[]> {
  if (!('reserve' in sql) || !/^\s*begin\b/i.test(text)) return sql.unsafe(text);
  const reserved = await sql.reserve();
  try {
    return await reserved.unsafe(text);
  } catch (error) {
    // The statements after the one that failed were not run, COMMIT among them.
    await reserved`rollback`.catch(() => undefined);
    throw error;
  } finally {
    reserved.release();
  }
}

/** Our driver writes JSON itself; pg-boss hands it over as text. */
function isJson(text: string, parameter: number): boolean {
  return new RegExp(`\\$${parameter}::jsonb?\\b`).test(text);
}

function parsed(value: unknown): unknown {
  return typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
}

async function listen(
  sql: Sql,
  channel: string,
  onNotification: (payload: string) => void,
  onReconnect: () => void,
): Promise<{ close(): Promise<void> }> {
  const listening = await sql.listen(channel, onNotification, onReconnect);
  return { close: () => listening.unlisten() };
}
