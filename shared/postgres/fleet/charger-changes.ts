import { type ChargerCredentials, listChargerCredentials, listLatestCredentials } from './charger-records.ts';
import type { Queryable, Sql } from '#shared/postgres/kernel/client.ts';

/** Channel on which the uid of a charger is announced when its credentials change. */
const channel = 'charger_changed';

/** Stands for every charger: the rules of a network changed. */
const everyCharger = '*';

/** Announces that the rules for the chargers of a network changed, once the transaction is committed. */
export async function announceRules(sql: Queryable): Promise<void> {
  await sql`select pg_notify(${channel}, ${everyCharger})`;
}

/** Receiver of chargers' credentials and of every change to them. */
export interface CredentialsFollower {
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
  const readOne = async (uid: string): Promise<void> => {
    const [now] = await listChargerCredentials(sql, [uid]);
    follower.change(uid, now ?? null);
  };
  const listening = await sql.listen(
    channel,
    (uid) => void then(() => (uid === everyCharger ? readAll() : readOne(uid))),
    () => void then(readAll),
  );
  await steps;
  return () => listening.unlisten();
}
