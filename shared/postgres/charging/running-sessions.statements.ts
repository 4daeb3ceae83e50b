import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { MeterFrame, SessionMeter } from '#shared/domain/charging/session-meter.ts';
import {
  type CountedEnergy,
  estimated,
  type SessionStatus,
  stopReconciled,
} from '#shared/domain/charging/session.ts';
import { hasCharged } from '#shared/postgres/fleet/charged-sessions.ts';
import { frameColumns, storedMeter } from './meter-frames.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** A session as the gateway knows it while it runs. */
export interface RunningSession extends MeterFrame {
  uuid: string;
  transactionId: string;
  position: ConnectorPosition;
  /** Readings so far. */
  meter: SessionMeter;
  /** Readings that name the transaction have power. */
  hasNamedPower: boolean;
  /** Time since which no power is reported, and the energy counted then. Null: unknown in this process. */
  powerless: CountedEnergy | null;
  /** Its connector was reported free while its stop is missing: readings without a transaction are not its own. */
  isFree: boolean;
  /** Another session began at its connector while its stop is missing: nor are they then. */
  isFollowed: boolean;
  /** The station applies limits of the session itself. Null: not read on this connection. */
  takesLimits: boolean | null;
}

/** The sessions that run at these chargers, by the charger's id; those where none runs are left out. */
export async function listRunningSessions(
  sql: Queryable,
  chargerIds: number[],
): Promise<Map<number, RunningSession[]>> {
  const rows = await sql<SessionPlace[]>`
    ${selectPlace(sql)} where s.charger_id = any(${chargerIds}::integer[]) and s.status in ('ACTIVE', 'STOPPING')
    order by s.started_at`;
  const running = new Map<number, RunningSession[]>();
  for (const row of rows) {
    const ofCharger = running.get(row.chargerId) ?? [];
    running.set(row.chargerId, ofCharger);
    ofCharger.push(toRunning(row));
  }
  return running;
}

/** Session found by its transaction. */
export interface FoundSession {
  session: RunningSession;
  /** False: it has ended. */
  isRunning: boolean;
  /** Its end was assumed: readings may show that it runs on. */
  mayRunOn: boolean;
}

/** The session of a charger's transaction, whatever its state; null when unknown. */
export async function findSessionByTransaction(
  sql: Queryable,
  chargerId: number,
  transactionId: string,
): Promise<FoundSession | null> {
  const [row] = await sql<SessionPlace[]>`
    ${selectPlace(sql)} where s.charger_id = ${chargerId} and s.ocpp_transaction_id = ${transactionId}`;
  if (row === undefined) return null;
  const isRunning = row.status === 'ACTIVE' || row.status === 'STOPPING';
  return { session: toRunning(row), isRunning, mayRunOn: !isRunning && row.mayRunOn };
}

interface SessionPlace extends MeterFrame {
  chargerId: number;
  uuid: string;
  transactionId: string;
  evse: number;
  connector: number;
  meter: SessionMeter;
  status: SessionStatus;
  isFree: boolean;
  isFollowed: boolean;
  mayRunOn: boolean;
}

const selectPlace = (sql: Queryable) => sql`
  select s.charger_id as "chargerId", s.uuid, s.ocpp_transaction_id as "transactionId", k.evse_number as evse,
    k.evse_connector as connector, s.started_at as "startedAt", ${frameColumns(sql)},
    ${storedMeter(sql)} as meter, s.status, s.free_since is not null as "isFree",
    s.flags && ${[estimated, stopReconciled]}::text[] as "mayRunOn",
    exists (
      select 1 from sessions n
      where n.charger_id = s.charger_id and n.connector_id = s.connector_id and n.started_at > s.started_at
        and ${hasCharged(sql)}
    ) as "isFollowed"
  from sessions s join connectors k on k.id = s.connector_id`;

function toRunning({ evse, connector, ...place }: SessionPlace): RunningSession {
  return {
    ...place,
    position: { evse, connector },
    hasNamedPower: false,
    powerless: null,
    takesLimits: null,
  };
}
