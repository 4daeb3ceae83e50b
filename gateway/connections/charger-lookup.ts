import { Loader } from '#shared/domain/kernel/loader.ts';
import { storeDeadlineMs } from '#gateway/ingest/store-deadline.ts';
import { type ChargerCredentials, findChargerCredentials } from '#shared/postgres/fleet/charger-records.ts';
import { listLocalOffsets } from '#shared/postgres/fleet/local-offset.ts';
import { isPostgresDown, type Sql } from '#shared/postgres/kernel/client.ts';
import {
  listRunningSessions,
  type RunningSession,
} from '#shared/postgres/charging/running-sessions.statements.ts';

/** Reads of PostgreSQL for a connecting charger. */
export interface ChargerLookup {
  /** Returns the credentials of a charger that the directory does not know, or null for an unknown one. */
  credentials(uid: string): Promise<ChargerCredentials | null>;
  /** Returns the state of a charger at its first message. */
  state(chargerId: number): Promise<ChargerState>;
}

/** State of a charger that the reading of its messages depends on. */
interface ChargerState {
  running: RunningSession[];
  /** Minutes by which its times without a zone are ahead of UTC. */
  localOffsetMinutes: number;
}

/** Maximum number of chargers in a statement: authenticating all of them must not block the event loop for long. */
const maxCredentials = 40;

/** Maximum number of chargers whose state is read at once. Few of them have sessions. */
const maxStates = 500;

/** Opens lookups that combine concurrent reads into one statement. */
export function openChargerLookup(sql: Sql): ChargerLookup {
  const reading = { isStoreFailure: isPostgresDown, deadlineMs: storeDeadlineMs };
  const credentials = new Loader<string, ChargerCredentials>({
    ...reading,
    maxKeys: maxCredentials,
    read: (uids) => findChargerCredentials(sql, uids),
  });
  const states = new Loader<number, ChargerState>({
    ...reading,
    maxKeys: maxStates,
    read: async (chargerIds) => {
      const [running, offsets] = await Promise.all([
        listRunningSessions(sql, chargerIds),
        listLocalOffsets(sql, chargerIds),
      ]);
      return new Map(
        chargerIds.map((id) => [
          id,
          { running: running.get(id) ?? [], localOffsetMinutes: offsets.get(id) ?? 0 },
        ]),
      );
    },
  });
  return {
    // PostgreSQL stores no text with NUL: such an identity cannot be registered.
    credentials: async (uid) => (uid.includes('\0') ? null : ((await credentials.load(uid)) ?? null)),
    async state(chargerId) {
      const { running = [], localOffsetMinutes = 0 } = (await states.load(chargerId)) ?? {};
      // A copy: each connection has its own list, and a charger may open two connections at once.
      return { running: [...running], localOffsetMinutes };
    },
  };
}
