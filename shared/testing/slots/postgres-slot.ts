import { randomBytes } from 'node:crypto';
// oxlint-disable-next-line time/no-sleep -- a connection that a test left open stays: `until` would wait minutes for its end
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { openPostgres, type Sql } from '#shared/postgres/kernel/client.ts';
import { kept } from '#shared/testing/kept.ts';
import { templateDatabase, testServers, withDatabase } from '#shared/testing/test-servers.ts';

/** State of a database that tests must not change, as `testing.state()` in `reset.sql` returns it. */
interface State {
  catalogue: string;
  connections: string[];
  working: string[];
  'advisory locks': number;
}

/** Returns whether a part of the state ends by itself. */
const isTransient = (key: keyof State): boolean => key === 'connections' || key === 'working';

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
  #initial: State | null = null;

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

  /** Reads the state that later resets compare with. A database that is used once needs none. */
  async remember(): Promise<void> {
    this.#initial = await this.#state();
  }

  /**
   * Deletes all rows and restores those of the template.
   * @param opensConnections true when kept values have connections of their own.
   * @returns the differences from the state at the beginning; empty when another test may use the database.
   */
  async reset(opensConnections: boolean): Promise<string[]> {
    // An application may still be at work, and the server notices the end of a connection a moment after the client.
    await this.#leftAfterPauses((key) => isTransient(key) && (key !== 'connections' || !opensConnections));
    await this.#control`select testing.reset()`;
    // A kept application goes on with its periodic work, which may be under way at any moment.
    return this.#leftAfterPauses((key) => key !== 'connections' || !opensConnections);
  }

  async drop(): Promise<void> {
    await this.sql.end({ timeout: 5 });
    await this.#control.end({ timeout: 5 });
    const sql = await admin();
    await sql`drop database ${sql(this.#name)} with (force)`;
  }

  /** Returns how the state differs from the first one, once all work has ended, or after the last pause. */
  async #leftAfterPauses(isCompared: (key: keyof State) => boolean): Promise<string[]> {
    for (let pauses = 0; ; pauses += 1) {
      const state = await this.#state();
      const changed = (Object.keys(state) as (keyof State)[]).filter(
        (key) => isCompared(key) && !isDeepStrictEqual(state[key], this.#initial?.[key]),
      );
      if (!changed.some(isTransient) || pauses === maxPauses) {
        return changed.map((key) => `${key} ${JSON.stringify(state[key])}`);
      }
      await wait(pauseMs);
    }
  }

  async #state(): Promise<State> {
    const [row] = await this.#control<{ state: State }[]>`select testing.state() as state`;
    if (row === undefined) throw new Error('no state');
    return row.state;
  }
}
