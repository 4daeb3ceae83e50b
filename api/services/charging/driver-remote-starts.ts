import type { PresenceEntry } from '#shared/bus/contract.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { findStart, type StartRecord } from '#shared/postgres/charging/remote-start-records.ts';
import {
  findStartSite,
  type StartConnector,
  type StartSite,
  type TokenChoice,
} from '#shared/postgres/charging/remote-start-sites.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import type { Actor } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { asPublicError, type Commander, findShard } from '#api/services/commands/send.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { type ChargingToken, tokenChoice, tokenToChargeWith } from './remote-start-tokens.ts';
import { occupied, type RequestedStart, requestExclusiveStart } from './remote-starts.service.ts';
import { limitsAt, type WantedLimits } from './session-limits.service.ts';

export type { StartRecord } from '#shared/postgres/charging/remote-start-records.ts';

/** Connector that is meant. Neither field: the only connector of the charger. */
interface ConnectorChoice {
  connectorId?: string | undefined;
  connectorNumber?: number | undefined;
}

/** Session that a driver requests. */
export interface WantedSession extends ConnectorChoice {
  chargerId: string;
  /** Uid of the token. Undefined: the app token of the driver. */
  idTag?: string | undefined;
  limits: WantedLimits;
}

/** Session to request, after every lookup. */
interface DriverOrder {
  charger: StartSite['charger'];
  connector: StartConnector;
  token: ChargingToken;
  limits: WantedLimits;
}

/**
 * Requests a session from a charger: for a driver at a public charger of a published location, for an operator at a charger of
 * its networks. The driver whose token it is pays, and the wallet holds the network's minimum balance.
 * @throws {DomainError} CHARGER_NOT_FOUND, CHARGER_UNAVAILABLE, CONNECTOR_NOT_FOUND, CONNECTOR_UNAVAILABLE,
 * ID_TOKEN_NOT_FOUND, ID_TOKEN_BLOCKED, VALIDATION_FAILED, and what `requestSession` throws, with public codes.
 */
export async function startCharging(
  deps: ServiceDeps,
  by: Actor,
  wanted: WantedSession,
): Promise<StartRecord> {
  try {
    return await start(deps, by, wanted);
  } catch (error) {
    throw asPublicError(error, 'START_REFUSED');
  }
}

async function start(deps: ServiceDeps, by: Actor, wanted: WantedSession): Promise<StartRecord> {
  const { idTag, limits } = wanted;
  const site = await readStartSite(deps, by.caller, wanted.chargerId, tokenChoice(by.caller, idTag));
  const { charger } = site;
  const shard = await findShard(deps, charger);
  const connector = chooseConnector(site, wanted);
  requireFree(connector);
  const token = await tokenToChargeWith(deps, by, site, idTag);
  const { start: stored } = await requestSession(deps, by, { charger, connector, token, limits }, shard);
  return {
    uuid: stored.uuid,
    status: 'pending',
    chargerUuid: charger.uuid,
    chargerUid: charger.uid,
    connectorUuid: connector.uuid,
    connectorNumber: connector.number,
    idToken: token.uid,
    requestedAt: stored.requestedAt,
    expiresAt: stored.expiresAt,
    sessionUuid: null,
  };
}

/**
 * Returns a remote start. A driver sees their own.
 * @throws {DomainError} START_NOT_FOUND.
 */
export async function readStart(
  { sql }: Pick<ServiceDeps, 'sql'>,
  caller: Caller,
  uuid: string,
): Promise<StartRecord> {
  const start = await findStart(sql, caller, uuid);
  if (start === null) throw new DomainError('START_NOT_FOUND', `There is no start ${uuid}.`);
  return start;
}

/**
 * Occupies the connector and the driver, holds money, and sends the request to the charger. Returns once the charger accepted.
 * The start of a silent charger stays pending until its deadline, since the charger may begin the session.
 * @param onClaim runs in the transaction that stores the start.
 * @throws {DomainError} CONNECTOR_UNAVAILABLE, START_IN_PROGRESS, ID_TOKEN_IN_USE, BALANCE_TOO_LOW, START_REFUSED, and what `send`
 * throws.
 */
export async function requestSession(
  deps: ServiceDeps,
  by: Commander,
  { charger, connector, token, limits }: DriverOrder,
  shard: PresenceEntry,
  onClaim?: (transaction: Transaction, startId: bigint) => Promise<void>,
): Promise<RequestedStart> {
  requireFree(connector);
  requireReservation(connector, token);
  const order = {
    charger,
    position: connector,
    idToken: token.uid,
    userId: token.userId,
    limits: await limitsAt(deps, { chargerId: charger.id, evse: connector.evse }, limits),
  };
  const requested = await requestExclusiveStart(deps, by, order, shard, onClaim);
  const { accepted, status } = requested.result;
  if (accepted) return requested;
  throw new DomainError('START_REFUSED', `The charger answered ${status ?? 'no'}.`, { status });
}

/**
 * Returns the charger, its connectors and the token of a request. A driver sees public chargers of published locations, an
 * operator sees the chargers of its networks.
 * @throws {DomainError} CHARGER_NOT_FOUND.
 */
export async function readStartSite(
  { sql }: Pick<ServiceDeps, 'sql'>,
  { networks, userId }: { networks: NetworkScope; userId: number | null },
  chargerUuid: string,
  token: TokenChoice,
): Promise<StartSite> {
  const site = await findStartSite(sql, networks, { chargerUuid, publicOnly: userId !== null, token });
  if (site === null) throw new DomainError('CHARGER_NOT_FOUND', `There is no charger ${chargerUuid}.`);
  return site;
}

/**
 * Returns the connector that is meant, in any state.
 * @throws {DomainError} CONNECTOR_NOT_FOUND, VALIDATION_FAILED.
 */
export function chooseConnector(
  { charger, connectors }: StartSite,
  { connectorId, connectorNumber }: ConnectorChoice,
): StartConnector {
  const meant = connectors.filter(
    ({ uuid, number }) =>
      (connectorId === undefined || uuid === connectorId.toLowerCase()) &&
      (connectorNumber === undefined || number === connectorNumber),
  );
  const [only] = meant;
  if (only === undefined) {
    throw new DomainError('CONNECTOR_NOT_FOUND', `The charger ${charger.uid} has no such connector.`);
  }
  if (meant.length === 1) return only;
  throw new DomainError(
    'VALIDATION_FAILED',
    `Invalid body: specify connectorId or connectorNumber, because the charger has ${meant.length} connectors.`,
    { errors: [{ field: 'connectorId', message: 'is required at a charger with several connectors' }] },
  );
}

/**
 * States in which no session can be requested: a session runs that the product does not know, or the connector is out of
 * order. A driver who plugged in waits in Preparing (1.6) or Occupied (2.0.1), and after a session in Finishing.
 */
const unavailable = new Set(['Charging', 'SuspendedEV', 'SuspendedEVSE', 'Unavailable', 'Faulted']);

/** @throws {DomainError} CONNECTOR_UNAVAILABLE when a session runs at the connector, or its state allows none. */
function requireFree({ number, status, isBusy }: StartConnector): void {
  if (isBusy) throw occupied(number);
  if (!unavailable.has(status)) return;
  throw new DomainError('CONNECTOR_UNAVAILABLE', `The connector ${number} is ${status}.`, { status });
}

/** @throws {DomainError} CONNECTOR_UNAVAILABLE when the connector is reserved for another token. */
function requireReservation(
  { number, status, reservedFor }: StartConnector,
  { uid, groupId }: ChargingToken,
): void {
  if (status !== 'Reserved') return;
  const own = [uid, groupId].map((id) => id?.toLowerCase());
  if (reservedFor.some((id) => own.includes(id.toLowerCase()))) return;
  throw new DomainError('CONNECTOR_UNAVAILABLE', `The connector ${number} is reserved for another token.`, {
    status,
  });
}
