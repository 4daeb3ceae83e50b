import type { PresenceEntry } from '#shared/bus/contract.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { findStart, type StartRecord } from '#shared/postgres/charging/remote-start-records.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import type { Actor } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { Commander } from '#api/services/commands/operator-commands.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { asPublicError } from './charging-errors.ts';
import {
  chooseConnector,
  type ConnectorChoice,
  readStartSite,
  requireFree,
  requireOnline,
  requireReservation,
  type StartConnector,
  type StartSite,
} from './remote-start-sites.ts';
import { type ChargingToken, tokenChoice, tokenToChargeWith } from './remote-start-tokens.ts';
import { type RequestedStart, requestExclusiveStart } from './remote-starts.ts';
import { limitsAt, type WantedLimits } from './session-limits.ts';

export type { StartRecord } from '#shared/postgres/charging/remote-start-records.ts';

/** Session that a driver requests. */
export interface WantedSession extends ConnectorChoice {
  chargerId: string;
  /** Uid of the token. Undefined: the app token of the driver. */
  idTag?: string | undefined;
  limits: WantedLimits;
}

/** Session to request, after every lookup. */
export interface DriverOrder {
  charger: StartSite['charger'];
  connector: StartConnector;
  token: ChargingToken;
  limits: WantedLimits;
}

/**
 * Requests a session from a charger: for a driver at a public charger of a published location, for an operator at a charger of
 * its networks. The driver whose token it is pays, and the wallet holds the network's minimum balance.
 * @throws {DomainError} CHARGER_NOT_FOUND, CHARGER_UNAVAILABLE, CONNECTOR_NOT_FOUND, CONNECTOR_UNAVAILABLE,
 * ID_TOKEN_NOT_FOUND, ID_TOKEN_BLOCKED, VALIDATION_FAILED, and what `requestSession` throws.
 */
export async function startCharging(
  deps: ServiceDeps,
  by: Actor,
  wanted: WantedSession,
): Promise<StartRecord> {
  const { idTag, limits } = wanted;
  const site = await readStartSite(deps, by.caller, wanted.chargerId, tokenChoice(by.caller, idTag));
  const { charger } = site;
  const shard = await requireOnline(deps, charger);
  const connector = chooseConnector(site, wanted);
  requireFree(connector);
  const token = await tokenToChargeWith(deps, by, site, idTag);
  const { start } = await requestSession(deps, by, { charger, connector, token, limits }, shard);
  return {
    uuid: start.uuid,
    status: 'pending',
    chargerUuid: charger.uuid,
    chargerUid: charger.uid,
    connectorUuid: connector.uuid,
    connectorNumber: connector.number,
    idToken: token.uid,
    requestedAt: start.requestedAt,
    expiresAt: start.expiresAt,
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
 * @throws {DomainError} CHARGER_UNAVAILABLE, CONNECTOR_UNAVAILABLE, START_IN_PROGRESS, ID_TOKEN_IN_USE, ID_TOKEN_BLOCKED,
 * BALANCE_TOO_LOW, START_REFUSED, CHARGER_REFUSED, CHARGER_TIMEOUT.
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
  const requested = await requestExclusiveStart(deps, by, order, shard, onClaim).catch((error: unknown) => {
    throw asPublicError(error, 'START_REFUSED');
  });
  const { accepted, status } = requested.result;
  if (accepted) return requested;
  throw new DomainError('START_REFUSED', `The charger answered ${status ?? 'no'}.`, { status });
}
