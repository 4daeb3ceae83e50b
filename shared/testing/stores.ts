import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { kept } from './kept.ts';
import { type KeptValue, Slot } from './slots/slot.ts';
import { testServers } from './test-servers.ts';

/** The stores of one test, in the servers that the whole run shares. */
export interface TestStores {
  databaseUrl: string;
  clickhouseUrl: string;
  /** Address with a prefix of keys and channels of its own. */
  redisUrl: string;
  sql: Sql;
  clickhouse: ClickHouse;
}

/** Stores of a test, with what is kept for their databases. */
export interface SharedStores extends TestStores {
  /** Opens a value for the databases, or returns the value that an earlier test opened for them. */
  keep<Value>(name: string, kept: KeptValue<Value>): Promise<Value>;
}

export interface StoreOptions {
  /** Databases of its own for a test that changes tables, leaves connections, or needs identifiers from 1. */
  fresh?: boolean;
  /** Tests with the same purpose share databases, with what is kept for them. */
  purpose?: string;
}

/** A test as far as stores need it. */
export type StoreUser = Pick<Test, 'teardown'> & Partial<Pick<Test, 'passing'>>;

/** Slots of this process that no test uses, by purpose. */
const freeSlots = kept(
  async () => new Map<string, Slot[]>(),
  async (free) => {
    for (const slot of [...free.values()].flat()) await slot.drop();
  },
);

/**
 * Returns empty, migrated databases in PostgreSQL and in ClickHouse. Tests of a process use the same ones in turn: at the end of a test
 * their rows are deleted. A test that leaves more than rows fails and must request `{ fresh: true }`; so does every test with `FRESH=1`.
 */
export async function testStores(
  t: StoreUser,
  { fresh = process.env['FRESH'] === '1', purpose = 'stores' }: StoreOptions = {},
): Promise<SharedStores> {
  const free = await freeSlots();
  const slot = (fresh ? undefined : free.get(purpose)?.pop()) ?? (await Slot.open());
  t.teardown(async () => {
    // A failed test may have left anything.
    if (fresh || t.passing?.() === false) return slot.drop();
    const left = await slot.reset().catch((error: unknown) => [String(error)]);
    if (left.length > 0) {
      await slot.drop();
      throw new Error(`the test left in its databases: ${left.join(', ')}. It must request { fresh: true }`);
    }
    if (slot.isFitAfterUse()) free.set(purpose, [...(free.get(purpose) ?? []), slot]);
    else await slot.drop();
  });
  return {
    databaseUrl: slot.postgres.url,
    clickhouseUrl: slot.clickhouse.url,
    redisUrl: withPrefix(testServers().redisUrl, `test_${randomBytes(6).toString('hex')}`),
    sql: slot.postgres.sql,
    clickhouse: slot.clickhouse.clickhouse,
    keep: (name, value) => slot.keep(name, value),
  };
}

/** Returns the address of the same Redis, for an installation of its own. */
function withPrefix(url: string, prefix: string): string {
  const changed = new URL(url);
  changed.searchParams.set('prefix', prefix);
  return changed.href;
}
