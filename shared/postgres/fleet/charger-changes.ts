import { type ChargerCredentials, listChargerCredentials, listLatestCredentials } from './charger-records.ts';
import type { Queryable, Sql } from '#shared/postgres/kernel/client.ts';

/** Channel on which the uid of a charger is announced when its credentials change. */
const channel = 'charger_changed';

/** Number of changed chargers that are read in one statement. */
const changedAtOnce = 500;

/** Stands for every charger: the rules of a network changed. */
const everyCharger = '*';

/** Announces that the rules for the chargers of a network changed, once the transaction is committed. */
export async function announceRules(sql: Queryable): Promise<void> {
  await sql`select pg_notify(${channel}, ${everyCharger})`;
}

/** Receiver of chargers' credentials and of every change to them. */
interface CredentialsFollower {
  /** All that are kept: at the start, and again whenever changes may have been missed. */
  reset(all: ChargerCredentials[]): void | Promise<void>;
  /** From now on; null: there is no such charger any more. */
  change(uid: string, now: ChargerCredentials | null): void;
  failed(error: unknown): void;
}

/**
 * Follows the credentials of the `most` chargers that were heard last. The trigger
 * `charger_changed` and `announceRules` announce changes, milliseconds after their commit. After a lost connection all are read again.
 * Resolves when the first ones are there; the answer stops following.
 */
export async function followCredentials(
  sql: Sql,
  follower: CredentialsFollower,
  most: number,
): Promise<() => Promise<void>> {
  let steps: Promise<void> = Promise.resolve();
  // Sequential, so that the result of an earlier query never overwrites a later one.
  const then = (step: () => Promise<void>): Promise<void> => {
    steps = steps.then(step).catch((error: unknown) => follower.failed(error));
    return steps;
  };
  const readAll = async (): Promise<void> => follower.reset(await listLatestCredentials(sql, most));
  /** Changes that were announced since the last read: a fleet that is registered is thousands of them. */
  let changed = new Set<string>();
  const readChanged = async (): Promise<void> => {
    const uids = [...changed];
    changed = new Set();
    for (let from = 0; from < uids.length; from += changedAtOnce) {
      const some = uids.slice(from, from + changedAtOnce);
      const found = new Map((await listChargerCredentials(sql, some)).map((now) => [now.uid, now]));
      for (const uid of some) follower.change(uid, found.get(uid) ?? null);
    }
  };
  const announced = (uid: string): void => {
    if (uid === everyCharger) void then(readAll);
    else {
      changed.add(uid);
      if (changed.size === 1) void then(readChanged);
    }
  };
  const listening = await sql.listen(channel, announced, () => void then(readAll));
  await steps;
  return () => listening.unlisten();
}
