import { randomBytes } from 'node:crypto';
// oxlint-disable-next-line time/no-sleep -- a connection that a test left open stays: `until` would wait minutes for its end
import { setTimeout as wait } from 'node:timers/promises';
import { openPostgres, type Sql } from '#shared/postgres/kernel/client.ts';
import { kept } from '#shared/testing/kept.ts';
import { templateDatabase, testServers, withDatabase } from '#shared/testing/test-servers.ts';

/** Activity of tests in a database, as `testing.activity()` in `reset.sql` returns it. */
interface Activity {
  connections: string[];
  working: string[];
  'advisory locks': number;
}

/** Pauses for the work and the connections of a test to end, and their duration in ms. */
const maxPauses = 200;
const pauseMs = 25;

/** Connection that creates and drops databases. */
const admin = kept(
  async () => openPostgres(testServers().databaseUrl, { name: 'chargeway-test-admin', connections: 1 }),
  (sql) => sql.end({ timeout: 5 }),
);

/** Migrated database in PostgreSQL with a pool of connections that stay open from test to test. */
export class PostgresSlot {
  readonly url: string;
  readonly sql: Sql;
  readonly #name: string;
  /** Connection of its own, so that a reset does not wait for the tests' pool. */
  readonly #control: Sql;
  #initialCatalogue: string | null = null;

  private constructor(name: string) {
    this.#name = name;
    this.url = withDatabase(testServers().databaseUrl, name);
    this.sql = openPostgres(this.url, { name: 'chargeway-test', connections: 4 });
    this.#control = openPostgres(this.url, { name: 'chargeway-test-reset', connections: 1 });
  }

  /** Clones the template. */
  static async open(): Promise<PostgresSlot> {
    const sql = await admin();
    const name = `test_${randomBytes(6).toString('hex')}`;
    // Files are copied as they are: the default writes each page to the write-ahead log, for twice the CPU time.
    await sql`create database ${sql(name)} template ${sql(templateDatabase)} strategy file_copy`;
    return new PostgresSlot(name);
  }

  /** Reads the catalogue that later resets compare with. A database that is used once needs none. */
  async remember(): Promise<void> {
    this.#initialCatalogue = await this.#catalogue();
  }

  /**
   * Deletes all rows and restores those of the template.
   * @param opensConnections true when kept values have connections of their own.
   * @returns what differs from the beginning; empty when another test may use the database.
   */
  async reset(opensConnections: boolean): Promise<string[]> {
    // An application may still be at work, and the server notices the end of a connection a moment after the client.
    await this.#activityAfterPauses(opensConnections);
    await this.#control`select testing.reset()`;
    // A kept application goes on with its periodic work, which may be under way at any moment.
    const left = await this.#activityAfterPauses(opensConnections);
    const isChanged = (await this.#catalogue()) !== this.#initialCatalogue;
    return isChanged ? [...left, 'another catalogue'] : left;
  }

  async drop(): Promise<void> {
    await this.sql.end({ timeout: 5 });
    await this.#control.end({ timeout: 5 });
    const sql = await admin();
    await sql`drop database ${sql(this.#name)} with (force)`;
  }

  /** Returns what tests still do, once all work has ended, or after the last pause. */
  async #activityAfterPauses(opensConnections: boolean): Promise<string[]> {
    for (let pauses = 0; ; pauses += 1) {
      const { connections, working, 'advisory locks': locks } = await this.#activity();
      const open = opensConnections ? [] : connections;
      if ((open.length === 0 && working.length === 0) || pauses === maxPauses) {
        return [
          ...open.map((name) => `a connection of ${name}`),
          ...working,
          ...(locks > 0 ? [`${locks} advisory locks`] : []),
        ];
      }
      await wait(pauseMs);
    }
  }

  async #activity(): Promise<Activity> {
    const [row] = await this.#control<{ activity: Activity }[]>`select testing.activity() as activity`;
    if (row === undefined) throw new Error('no activity');
    return row.activity;
  }

  async #catalogue(): Promise<string> {
    const [row] = await this.#control<{ digest: string }[]>`select testing.catalogue() as digest`;
    if (row === undefined) throw new Error('no catalogue');
    return row.digest;
  }
}
