import type { CommandResult } from '#shared/domain/commands/commands.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { connectionTimeoutMs } from '#shared/domain/charging/remote-start.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import {
  type ChargingPlace,
  findObstacles,
  listChargingPlaces,
} from '#shared/postgres/fleet/charging-places.ts';
import {
  claimStart,
  endStart,
  findStart,
  type StartRecord,
} from '#shared/postgres/charging/charging-starts.ts';
import { findCharger } from '#shared/postgres/fleet/charger-records.ts';
import type { Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import type { Actor } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { commandTimeoutMs } from '#api/services/commands/charger-commands.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.ts';
import { asPublicError } from './charging-errors.ts';
import { type ChargingToken, tokenToChargeWith } from './charging-tokens.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import type { Commander } from '#api/services/commands/operator-commands.ts';
import { remoteStart } from './remote-control.ts';
import { barRepeats } from '#api/services/access/request-steps.ts';
import type { WantedLimits } from './session-limits.ts';
import { releaseEarlierHolds, startOnHold } from './start-holds.ts';

export type { StartRecord } from '#shared/postgres/charging/charging-starts.ts';

/** The connector that is meant; neither: the only one of the charger. */
export interface ConnectorChoice {
  connectorId?: string | undefined;
  connectorNumber?: number | undefined;
}

/** A session that is asked for. */
export interface WantedSession extends ConnectorChoice {
  chargerId: string;
  /** The token; a driver's app has one of its own. */
  idTag?: string | undefined;
  limits: WantedLimits;
}

/** A charger with the connector of it that is meant. */
export interface FoundPlace {
  charger: ChargerRecord;
  place: ChargingPlace;
}

/** All that a charger is asked with. */
export interface StartOrder extends FoundPlace {
  token: ChargingToken;
  limits: WantedLimits;
}

/**
 * Asks a charger for a session: a driver at a public charger of a published location, an operator at any of its networks'.
 * The driver whose token it is pays: the network's minimum is set aside first.
 * @throws {DomainError} CHARGER_NOT_FOUND, CHARGER_UNAVAILABLE, CONNECTOR_NOT_FOUND, CONNECTOR_UNAVAILABLE,
 * ID_TOKEN_NOT_FOUND, ID_TOKEN_BLOCKED, VALIDATION_FAILED, and what `askForSession` throws.
 */
export async function startCharging(
  deps: ServiceDeps,
  by: Actor,
  wanted: WantedSession,
): Promise<StartRecord> {
  const charger = await visibleCharger(deps, by.caller, wanted.chargerId);
  await requireOnline(deps, charger);
  const place = await placeAt(deps, charger, wanted);
  requireFree(place);
  const token = await tokenToChargeWith(deps, by, charger.networkId, wanted.idTag);
  const uuid = await askForSession(deps, by, { charger, place, token, limits: wanted.limits });
  return readStart(deps, by.caller, uuid);
}

/**
 * What became of a start; a driver sees their own.
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
 * The charger and the connector that are meant, where the caller sees them, whatever their state.
 * @throws {DomainError} CHARGER_NOT_FOUND, CONNECTOR_NOT_FOUND, VALIDATION_FAILED.
 */
export async function findPlace(
  deps: Pick<ServiceDeps, 'sql'>,
  who: { networks: NetworkScope; userId: number | null },
  { chargerId, ...choice }: ConnectorChoice & { chargerId: string },
): Promise<FoundPlace> {
  const charger = await visibleCharger(deps, who, chargerId);
  return { charger, place: await placeAt(deps, charger, choice) };
}

/**
 * Takes the connector and the driver, sets money aside, and asks the charger; answers with the start's uuid once it
 * accepted. A charger that stays silent may begin a session all the same: its start stays pending until it expires.
 * @param onClaim is part of the transaction that takes them.
 * @throws {DomainError} CHARGER_UNAVAILABLE, CONNECTOR_UNAVAILABLE, START_IN_PROGRESS, ID_TOKEN_IN_USE, ID_TOKEN_BLOCKED,
 * BALANCE_TOO_LOW, START_REFUSED, CHARGER_REFUSED, CHARGER_TIMEOUT.
 */
export async function askForSession(
  deps: ServiceDeps,
  by: Commander,
  order: StartOrder,
  onClaim?: (transaction: Transaction, startId: bigint) => Promise<void>,
): Promise<string> {
  const { charger, place, token, limits } = order;
  await requireOnline(deps, charger);
  requireFree(place);
  requireReservation(place, token);
  // A second run would undo the first one's claim and hold, which expire by themselves.
  await barRepeats(deps.sql);
  const { uuid } = await claim(deps.sql, order, onClaim);
  const ask = (hold: { id: bigint } | null) =>
    remoteStart(deps, by, charger, {
      idTag: token.uid,
      connectorNumber: place.number,
      limits,
      hold,
      startUuid: uuid,
    });
  try {
    const { accepted, status } = await askWithHold(deps, order, ask);
    if (!accepted) {
      throw new DomainError('START_REFUSED', `The charger answered ${status ?? 'no'}.`, { status });
    }
  } catch (error) {
    // What cannot be written now expires by itself.
    await release(deps.sql, uuid, error).catch(() => undefined);
    throw asPublicError(error, 'START_REFUSED');
  }
  return uuid;
}

async function askWithHold(
  deps: ServiceDeps,
  { charger: { networkId }, token: { userId } }: StartOrder,
  ask: (hold: { id: bigint } | null) => Promise<CommandResult>,
): Promise<CommandResult> {
  if (userId === null) return ask(null);
  await releaseEarlierHolds(deps, userId);
  return startOnHold(deps, { userId, networkId }, ask);
}

async function visibleCharger(
  { sql }: Pick<ServiceDeps, 'sql'>,
  { networks, userId }: { networks: NetworkScope; userId: number | null },
  uuid: string,
): Promise<ChargerRecord> {
  const charger = await findCharger(sql, networks, uuid, userId !== null);
  if (charger === null) throw new DomainError('CHARGER_NOT_FOUND', `There is no charger ${uuid}.`);
  return charger;
}

async function requireOnline({ bus }: Pick<ServiceDeps, 'bus'>, { uid }: ChargerRecord): Promise<void> {
  if ((await bus.presence.lookup(uid)) !== null) return;
  throw new DomainError('CHARGER_UNAVAILABLE', `The charger ${uid} is not connected.`);
}

async function placeAt(
  { sql }: Pick<ServiceDeps, 'sql'>,
  charger: ChargerRecord,
  { connectorId, connectorNumber }: ConnectorChoice,
): Promise<ChargingPlace> {
  const meant = (await listChargingPlaces(sql, charger.id)).filter(
    (place) =>
      (connectorId === undefined || place.connectorUuid === connectorId.toLowerCase()) &&
      (connectorNumber === undefined || place.number === connectorNumber),
  );
  const [only] = meant;
  if (only === undefined) {
    throw new DomainError('CONNECTOR_NOT_FOUND', `The charger ${charger.uid} has no such connector.`);
  }
  if (meant.length === 1) return only;
  throw new DomainError(
    'VALIDATION_FAILED',
    `The body is wrong: name connectorId or connectorNumber, the charger has ${meant.length} connectors.`,
    { errors: [{ field: 'connectorId', message: 'is required at a charger with several connectors' }] },
  );
}

/**
 * Whoever plugged the cable in waits in Preparing (1.6) or Occupied (2.0.1), and after a session in Finishing. What is
 * left is occupied by a session that we know nothing of, or out of order.
 */
const unavailable = new Set(['Charging', 'SuspendedEV', 'SuspendedEVSE', 'Unavailable', 'Faulted']);

function requireFree({ number, status, isBusy }: ChargingPlace): void {
  if (isBusy) throw occupied(number);
  if (!unavailable.has(status)) return;
  throw new DomainError('CONNECTOR_UNAVAILABLE', `The connector ${number} is ${status}.`, { status });
}

function occupied(number: number): DomainError {
  return new DomainError('CONNECTOR_UNAVAILABLE', `A session runs at the connector ${number}.`);
}

function requireReservation({ number, status, reservedFor }: ChargingPlace, token: ChargingToken): void {
  if (status !== 'Reserved') return;
  const own = [token.uid, token.groupId].map((id) => id?.toLowerCase());
  if (reservedFor.some((id) => own.includes(id.toLowerCase()))) return;
  throw new DomainError('CONNECTOR_UNAVAILABLE', `The connector ${number} is reserved for another token.`, {
    status,
  });
}

/** As long as a gateway, which tells more exactly, lets a start wait for its session. */
const claimMs = commandTimeoutMs + connectionTimeoutMs;

function claim(
  sql: Sql,
  { charger, place, token }: StartOrder,
  onClaim?: (transaction: Transaction, startId: bigint) => Promise<void>,
): Promise<{ uuid: string }> {
  const { connectorId, evse, number } = place;
  const at = { chargerId: charger.id, evse, idToken: token.uid };
  return sql.begin(async (transaction) => {
    const expiresAt = new Date(Date.now() + claimMs);
    const start = await claimStart(transaction, { ...at, connectorId, userId: token.userId, expiresAt });
    if (start === null) {
      throw new DomainError(
        'START_IN_PROGRESS',
        'Another start at this connector, or of this driver, waits for its session.',
      );
    }
    // Once the start is ours: what began before that is seen.
    const { isBusy, tokenSession } = await findObstacles(transaction, {
      ...at,
      networkId: charger.networkId,
    });
    if (isBusy) throw occupied(number);
    if (tokenSession !== null) {
      throw new DomainError(
        'ID_TOKEN_IN_USE',
        'A session of this token runs: a token charges one at a time.',
        {
          sessionId: tokenSession,
        },
      );
    }
    await onClaim?.(transaction, start.id);
    return start;
  });
}

/** Ends a start that led to nothing; one whose charger may have heard of it is still what its session belongs to. */
async function release(sql: Sql, uuid: string, error: unknown): Promise<void> {
  const code = error instanceof DomainError ? error.code : null;
  if (code === 'CHARGER_TIMEOUT') return;
  const mayBegin = code === null || code === 'CHARGER_OFFLINE';
  await endStart(sql, uuid, mayBegin ? 'expired' : 'refused');
}
