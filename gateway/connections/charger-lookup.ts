import { Loader } from '#shared/domain/kernel/loader.ts';
import { storeDeadlineMs } from '#gateway/ingest/store-deadline.ts';
import { type ChargerCredentials, findChargerCredentials } from '#shared/postgres/fleet/charger-records.ts';
import { isPostgresDown, type Sql } from '#shared/postgres/kernel/client.ts';
import { listRunningSessions, type RunningSession } from '#shared/postgres/charging/running-sessions.ts';

/** What is asked of PostgreSQL for a charger that connects. */
export interface ChargerLookup {
  /** For a charger that the directory does not know; null: nobody does. */
  credentials(uid: string): Promise<ChargerCredentials | null>;
  /** What runs at a charger when it speaks for the first time. */
  running(chargerId: number): Promise<RunningSession[]>;
}

/** Chargers in a statement. Few enough that letting all of them in does not hold up the loop for long. */
const maxAtOnce = 40;

/** Looks up many chargers in one statement when many come at once. */
export function openChargerLookup(sql: Sql): ChargerLookup {
  const reading = { isStoreFailure: isPostgresDown, maxKeys: maxAtOnce, deadlineMs: storeDeadlineMs };
  const credentials = new Loader<string, ChargerCredentials>({
    ...reading,
    read: (uids) => findChargerCredentials(sql, uids),
  });
  const running = new Loader<number, RunningSession[]>({
    ...reading,
    read: (chargerIds) => listRunningSessions(sql, chargerIds),
  });
  return {
    // PostgreSQL knows no text with a NUL: such an identity was never registered.
    credentials: async (uid) => (uid.includes('\0') ? null : ((await credentials.load(uid)) ?? null)),
    // A copy: each connection keeps its own list, and a charger may come twice at once.
    running: async (chargerId) => [...((await running.load(chargerId)) ?? [])],
  };
}
