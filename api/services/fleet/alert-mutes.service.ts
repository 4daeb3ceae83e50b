import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { AlertKind } from '#shared/domain/fleet/alert.ts';
import { onlyNetworks } from '#shared/domain/access/tenancy.ts';
import {
  type AlertMute,
  findAlertMute,
  insertAlertMute,
  listAlertMutes,
  removeAlertMute,
} from '#shared/postgres/fleet/alert-mutes.statements.ts';
import { findCharger } from '#shared/postgres/fleet/charger-records.ts';
import { findLocation } from '#shared/postgres/fleet/location-records.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { keepNetwork, networkForNew, networksOfCall } from '#api/services/access/networks.service.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';

export type { AlertMute } from '#shared/postgres/fleet/alert-mutes.statements.ts';

/** Longest mute in days. */
const maxDays = 90;

/** Mute to create. At least one of charger, location and kind is given; all that are given must match. */
export interface MuteRequest {
  networkUuid?: string | undefined;
  chargerUuid?: string | undefined;
  locationUuid?: string | undefined;
  kind?: AlertKind | undefined;
  until: Date;
  reason?: string | undefined;
}

/**
 * Returns a page of the mutes that are not over, newest first.
 * @throws {DomainError} NETWORK_NOT_FOUND; VALIDATION_FAILED for a wrong cursor.
 */
export async function readAlertMutes(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: AlertMute[]; nextCursor: string | null }> {
  const before = decodeIdCursor(cursor, 'integer');
  const networks = await networksOfCall(deps, caller, networkUuid);
  return cutById(await listAlertMutes(deps.sql, networks, before, limit + 1), limit);
}

/** @throws {DomainError} NETWORK_NOT_FOUND, CHARGER_NOT_FOUND, LOCATION_NOT_FOUND, VALIDATION_FAILED. */
export async function muteAlerts(deps: ServiceDeps, by: Actor, request: MuteRequest): Promise<AlertMute> {
  const { chargerUuid, locationUuid, kind, until, reason } = request;
  if (chargerUuid === undefined && locationUuid === undefined && kind === undefined)
    throw wrongField('chargerId', 'is required unless locationId or kind is given');
  if (until <= new Date() || until > new Date(Date.now() + maxDays * 86_400_000))
    throw wrongField('until', `must be in the next ${maxDays} days`);
  return deps.sql.begin(async (transaction) => {
    const charger =
      chargerUuid === undefined ? null : await findCharger(transaction, by.caller.networks, chargerUuid);
    if (chargerUuid !== undefined && charger === null)
      throw new DomainError('CHARGER_NOT_FOUND', `There is no charger ${chargerUuid}.`);
    const location =
      locationUuid === undefined ? null : await findLocation(transaction, by.caller.networks, locationUuid);
    if (locationUuid !== undefined && location === null)
      throw new DomainError('LOCATION_NOT_FOUND', `There is no location ${locationUuid}.`);
    const networkId = charger?.networkId ?? location?.networkId ?? null;
    const network = await networkOfMute(transaction, by, request, networkId);
    if ([charger, location].some((record) => record !== null && record.networkId !== network.id))
      throw wrongField('networkId', 'must be the network of the charger and the location');
    if (network.uuid !== null) await keepNetwork(transaction, { id: network.id, uuid: network.uuid });
    const uuid = await insertAlertMute(transaction, {
      networkId: network.id,
      chargerId: charger?.id ?? null,
      locationId: location?.id ?? null,
      kind: kind ?? null,
      until,
      reason: reason ?? null,
      createdBy: by.caller.who.name,
    });
    const after = await findAlertMute(transaction, onlyNetworks([network.id]), uuid);
    if (after === null) throw new Error('a mute was removed within its transaction');
    await auditChange(transaction, by, auditEntry(after, 'mute', null, after));
    return after;
  });
}

/** @throws {DomainError} ALERT_MUTE_NOT_FOUND. */
export async function unmuteAlerts({ sql }: ServiceDeps, by: Actor, uuid: string): Promise<void> {
  await sql.begin(async (transaction) => {
    const before = await findAlertMute(transaction, by.caller.networks, uuid);
    if (before === null) throw new DomainError('ALERT_MUTE_NOT_FOUND', `There is no mute ${uuid}.`);
    await removeAlertMute(transaction, before.id);
    await auditChange(transaction, by, auditEntry(before, 'unmute', before, null));
  });
}

/** Returns the network of a charger or location, else the one that the request names. */
async function networkOfMute(
  transaction: Transaction,
  by: Actor,
  { networkUuid }: MuteRequest,
  networkId: number | null,
): Promise<{ id: number; uuid: string | null }> {
  if (networkUuid === undefined && networkId !== null) return { id: networkId, uuid: null };
  return networkForNew({ sql: transaction }, by.caller, networkUuid, 'networkId');
}

function auditEntry(mute: AlertMute, action: string, before: object | null, after: object | null) {
  const { uuid, networkId, chargerUuid, locationUuid, kind } = mute;
  const resourceName = [kind, chargerUuid, locationUuid].filter((part) => part !== null).join(' ');
  return { networkId, category: 'alert-mute', action, resourceId: uuid, resourceName, before, after };
}
