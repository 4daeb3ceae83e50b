import {
  type DeviceEventRecord,
  type DeviceVariableRecord,
  listDeviceEvents,
  listDeviceVariables,
  listSecurityEvents,
  type SecurityEventRecord,
} from '#shared/postgres/fleet/device-records.ts';
import { maskValue } from '#shared/domain/kernel/masking.ts';
import type { ChargerRecord } from './chargers.service.ts';
import { cutById, cutPage, decodeIdCursor, decodeRowCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { requireOrder } from '#api/services/kernel/validation.service.ts';

export type {
  DeviceEventRecord,
  DeviceVariableRecord,
  SecurityEventRecord,
} from '#shared/postgres/fleet/device-records.ts';

/** A part of a list that is read on from where a page ended. */
interface Slice {
  cursor: string | undefined;
  limit: number;
}

/** Both inclusive. */
interface TimeSpan {
  from: Date | undefined;
  to: Date | undefined;
}

/** Returns the device model that a 2.0.1 charger reported, from a cursor on; values of secrets are masked. */
export async function sliceDeviceModel(
  { sql }: ServiceDeps,
  charger: ChargerRecord,
  filter: { component: string | undefined; variable: string | undefined; evseId: number | undefined },
  { cursor, limit }: Slice,
): Promise<{ rows: DeviceVariableRecord[]; nextCursor: string | null }> {
  const after = decodeIdCursor(cursor, 'bigint');
  const page = cutById(await listDeviceVariables(sql, charger.id, filter, after, limit + 1), limit);
  return { ...page, rows: page.rows.map((row) => maskValue(row) as DeviceVariableRecord) };
}

/** The events of a charger's device model, newest first; values of secrets are masked. */
export async function sliceDeviceEvents(
  { sql }: ServiceDeps,
  charger: ChargerRecord,
  filter: TimeSpan & { component: string | undefined; variable: string | undefined },
  { cursor, limit }: Slice,
): Promise<{ rows: DeviceEventRecord[]; nextCursor: string | null }> {
  requireOrder(filter);
  const before = decodeRowCursor(cursor);
  const rows = await listDeviceEvents(sql, charger.id, { ...filter, before }, limit + 1);
  return cutPage(rows.map(maskEvent), limit, ({ occurredAt, id }) => ({ time: occurredAt, tie: String(id) }));
}

/** The security events of a charger, newest first. */
export async function sliceSecurityEvents(
  { sql }: ServiceDeps,
  charger: ChargerRecord,
  filter: TimeSpan & { type: string | undefined },
  { cursor, limit }: Slice,
): Promise<{ rows: SecurityEventRecord[]; nextCursor: string | null }> {
  requireOrder(filter);
  const before = decodeRowCursor(cursor);
  const rows = await listSecurityEvents(sql, charger.id, { ...filter, before }, limit + 1);
  return cutPage(rows, limit, ({ occurredAt, id }) => ({ time: occurredAt, tie: String(id) }));
}

/** The value of an event is in a field that only events have. */
function maskEvent(event: DeviceEventRecord): DeviceEventRecord {
  const { variable, actualValue: value } = event;
  const { value: actualValue } = maskValue({ variable, value }) as { value: string };
  return { ...event, actualValue };
}
