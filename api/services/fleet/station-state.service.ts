import { maskValue } from '#shared/domain/kernel/masking.ts';
import {
  type DerAlarmRecord,
  type DerControlRecord,
  type EventStreamRecord,
  listDerAlarms,
  listDerControls,
  listEventStreams,
  listNotifications,
  listStationTariffs,
  type NotificationRecord,
  type StationTariffRecord,
} from '#shared/postgres/fleet/station-state.statements.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import type { ChargerRecord } from './chargers.service.ts';

export type { NotificationRecord } from '#shared/postgres/fleet/station-state.statements.ts';

/** Tariffs, event streams and control of distributed energy resources at a station of OCPP 2.1. */
export interface StationState {
  tariffs: StationTariffRecord[];
  eventStreams: EventStreamRecord[];
  derControls: DerControlRecord[];
  derAlarms: DerAlarmRecord[];
}

/** Reads what a station of OCPP 2.1 applies and reports by itself. */
export async function readStationState({ sql }: ServiceDeps, { id }: ChargerRecord): Promise<StationState> {
  const [tariffs, eventStreams, derControls, derAlarms] = await Promise.all([
    listStationTariffs(sql, id),
    listEventStreams(sql, id),
    listDerControls(sql, id),
    listDerAlarms(sql, id),
  ]);
  return { tariffs, eventStreams, derControls, derAlarms };
}

/** Reads messages of a charger that are stored as received, newest first; values of secrets are masked. */
export async function sliceNotifications(
  { sql }: ServiceDeps,
  charger: ChargerRecord,
  action: string | undefined,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: NotificationRecord[]; nextCursor: string | null }> {
  const before = decodeIdCursor(cursor, 'bigint');
  const page = cutById(await listNotifications(sql, charger.id, { action, before }, limit + 1), limit);
  return { ...page, rows: page.rows.map((row) => ({ ...row, payload: maskValue(row.payload) })) };
}
