import { type ChargerCredentials, listChargerCredentials, listLatestCredentials } from './charger-records.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';

/** Everything may have changed: a network's rules, say. */
const everyCharger = '*';

/** Receiver of chargers' credentials and of every change to them. */
export interface CredentialsFollower {
  /** All that are kept: at the start, and again whenever changes may have been missed. */
  reset(all: ChargerCredentials[]): void | Promise<void>;
  /** From now on; null: there is no such charger any more. */
  change(uid: string, now: ChargerCredentials | null): void;
  failed(error: unknown): void;
}

/**
 * Follows the credentials of the `most` chargers that were heard last. Changes are announced by a trigger
 * (`charger_changed`), milliseconds after their commit; when the connection that listens was lost, all are read again.
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
    'charger_changed',
    (uid) => void then(() => (uid === everyCharger ? readAll() : readOne(uid))),
    () => void then(readAll),
  );
  await steps;
  return () => listening.unlisten();
}
