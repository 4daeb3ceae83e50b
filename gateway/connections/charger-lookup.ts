import { Loader } from '#shared/domain/kernel/loader.ts';
import { storeDeadlineMs } from '#gateway/ingest/store-deadline.ts';
import { type ChargerCredentials, findChargerCredentials } from '#shared/postgres/fleet/charger-records.ts';
import { isPostgresDown, type Sql } from '#shared/postgres/kernel/client.ts';
import { listRunningSessions, type RunningSession } from '#shared/postgres/charging/running-sessions.ts';

/** Reads of PostgreSQL for a connecting charger. */
export interface ChargerLookup {
  /** Returns the credentials of a charger that the directory does not know, or null for an unknown one. */
  credentials(uid: string): Promise<ChargerCredentials | null>;
  /** Returns the running sessions of a charger at its first message. */
  running(chargerId: number): Promise<RunningSession[]>;
}

/** Maximum number of chargers in a statement: authenticating all of them must not block the event loop for long. */
const maxCredentials = 40;

/** Maximum number of chargers whose sessions are read at once. Few of them have any. */
const maxRunning = 500;

/** Opens lookups that combine concurrent reads into one statement. */
export function openChargerLookup(sql: Sql): ChargerLookup {
  const reading = { isStoreFailure: isPostgresDown, deadlineMs: storeDeadlineMs };
  const credentials = new Loader<string, ChargerCredentials>({
    ...reading,
    maxKeys: maxCredentials,
    read: (uids) => findChargerCredentials(sql, uids),
  });
  const running = new Loader<number, RunningSession[]>({
    ...reading,
    maxKeys: maxRunning,
    read: (chargerIds) => listRunningSessions(sql, chargerIds),
  });
  return {
    // PostgreSQL stores no text with NUL: such an identity cannot be registered.
    credentials: async (uid) => (uid.includes('\0') ? null : ((await credentials.load(uid)) ?? null)),
    // A copy: each connection has its own list, and a charger may open two connections at once.
    running: async (chargerId) => [...((await running.load(chargerId)) ?? [])],
  };
}
