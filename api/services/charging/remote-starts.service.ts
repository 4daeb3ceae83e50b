import { maxInt32 } from '#shared/domain/kernel/integers.ts';
import { randomInt } from 'node:crypto';
import type { PresenceEntry } from '#shared/bus/contract.ts';
import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { CommandResult, RemoteStartCommand } from '#shared/domain/commands/commands.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import { remoteStartDeadlines } from '#shared/domain/charging/remote-start.ts';
import type { SessionLimits } from '#shared/domain/charging/session.ts';
import { listRemoteStarts, type RemoteStartRecord } from '#shared/postgres/charging/remote-start-records.ts';
import {
  claimRemoteStart,
  expireRemoteStart,
  insertRemoteStart,
  type NewRemoteStart,
  refuseRemoteStart,
  startUuid,
  type StoredRemoteStart,
} from '#shared/postgres/charging/remote-starts.statements.ts';
import { findStartObstacles, type StartConnector } from '#shared/postgres/charging/remote-start-sites.ts';
import { type Transaction, violates } from '#shared/postgres/kernel/client.ts';
import { type MinimumBalance, readMinimumBalance } from '#shared/postgres/money/minimum-balance.ts';
import { placeHold, releaseHold, releaseUntakenHolds } from '#shared/postgres/money/wallet-holds.ts';
import { toMajor } from '#shared/pricing/money.ts';
import { causeOf, outcomeUnknown } from '#api/services/access/idempotency.service.ts';
import { type CommandedCharger, type Commander, findShard, send } from '#api/services/commands/send.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** Largest remoteStartId: an integer of 32 bits (OCPP 2.0.1 F01). */
const maxRemoteStartId = maxInt32;

/** Session to request from a charger. */
interface StartOrder {
  charger: CommandedCharger & { id: number };
  /** Null: the charger chooses the connector. */
  position: ConnectorPosition | null;
  idToken: string;
  /** Driver whose wallet holds the network's minimum balance. Null: no wallet pays. */
  userId: number | null;
  limits: SessionLimits | null;
}

/** Session to request at a connector that no other start may occupy. */
interface ExclusiveOrder extends StartOrder {
  position: StartConnector;
}

/** Stored remote start with the answer of its charger. */
export interface RequestedStart {
  start: StoredRemoteStart;
  result: CommandResult;
}

/**
 * Requests a session without occupying the connector or the driver, for an operator or a partner. The session begins when the
 * charger reports it.
 * @throws {DomainError} BALANCE_TOO_LOW, and what `send` throws.
 */
export async function requestStart(
  deps: ServiceDeps,
  by: Commander,
  order: StartOrder,
): Promise<RequestedStart> {
  const remoteStartId = newRemoteStartId();
  const shard = await findShard(deps, order.charger, { by, command: commandOf(order, remoteStartId) });
  const { charger, userId } = order;
  const storing = deps.sql.begin(async (transaction) => {
    const start = await insertRemoteStart(transaction, newStart(by, order, remoteStartId));
    const payer = userId === null ? null : { userId, networkId: charger.networkId };
    return { start, hold: payer && (await holdMinimum(transaction, payer, start.id)) };
  });
  const { start, hold } = await storing.catch((error: unknown) => {
    // An earlier attempt of the request has stored it.
    throw violates(error, startUuid) ? outcomeUnknown() : error;
  });
  return requestFrom(deps, by, order, { shard, start, hold, remoteStartId });
}

/**
 * Requests a session at a connector that no other start may occupy, for a driver who has no other start pending.
 * @param shard presence of the charger, when the caller has looked it up.
 * @param onClaim runs in the transaction that stores the start.
 * @throws {DomainError} START_IN_PROGRESS, CONNECTOR_UNAVAILABLE, ID_TOKEN_IN_USE, BALANCE_TOO_LOW, and what `send`
 * throws.
 */
export async function requestExclusiveStart(
  deps: ServiceDeps,
  by: Commander,
  order: ExclusiveOrder,
  shard: PresenceEntry,
  onClaim?: (transaction: Transaction, startId: bigint) => Promise<void>,
): Promise<RequestedStart> {
  const remoteStartId = newRemoteStartId();
  const { start, hold } = await deps.sql.begin((transaction) =>
    claim(transaction, order, newStart(by, order, remoteStartId), onClaim),
  );
  return requestFrom(deps, by, order, { shard, start, hold, remoteStartId });
}

async function claim(
  transaction: Transaction,
  order: ExclusiveOrder,
  pending: NewRemoteStart,
  onClaim?: (transaction: Transaction, startId: bigint) => Promise<void>,
): Promise<{ start: StoredRemoteStart; hold: { id: bigint } | null }> {
  const { charger, position, idToken, userId } = order;
  const { id: connectorId, evse, number } = position;
  const { networkId } = charger;
  const wanted = { ...pending, connectorId, evse, userId };
  const start = await claimRemoteStart(transaction, wanted);
  if (start === null) {
    throw new DomainError(
      'START_IN_PROGRESS',
      'Another start at this connector, or of this driver, waits for its session.',
    );
  }
  const obstacles = await findStartObstacles(transaction, { ...wanted, networkId });
  if (obstacles.isBusy) throw occupied(number);
  const { tokenSession: sessionId } = obstacles;
  if (sessionId !== null) {
    const message = `The token ${idToken} charges another session. A token charges one session at a time.`;
    throw new DomainError('ID_TOKEN_IN_USE', message, { sessionId });
  }
  await onClaim?.(transaction, start.id);
  if (userId === null) return { start, hold: null };
  // Every other start of this driver is over, although a late session of one may still come.
  if (obstacles.hasEarlierHold) await releaseUntakenHolds(transaction, userId);
  return { start, hold: await holdMinimum(transaction, { userId, networkId }, start.id, obstacles) };
}

interface Stored {
  shard: PresenceEntry;
  start: StoredRemoteStart;
  hold: { id: bigint } | null;
  remoteStartId: number;
}

/** Sends a stored start to its charger, and ends it when no session can follow. */
async function requestFrom(
  deps: ServiceDeps,
  by: Commander,
  order: StartOrder,
  { shard, start, hold, remoteStartId }: Stored,
): Promise<RequestedStart> {
  const command = { ...commandOf(order, remoteStartId), startUuid: start.uuid };
  let result: CommandResult;
  try {
    result = await send(deps, by, order.charger, command, { shard });
  } catch (error) {
    // A silent charger may begin the session: start and hold wait for it.
    const isSilent = error instanceof DomainError && error.code === 'CHARGER_TIMEOUT';
    if (!isSilent) await end(deps, { start, hold }, error);
    throw error;
  }
  if (!result.accepted) await end(deps, { start, hold }, null);
  return { start, result };
}

/**
 * Ends a start and releases its hold after an error; null: the charger refused. The charger may have received a start whose
 * connection was lost.
 */
async function end(
  { sql }: Pick<ServiceDeps, 'sql'>,
  { start, hold }: Pick<Stored, 'start' | 'hold'>,
  error: unknown,
): Promise<void> {
  const mayBegin = error !== null && (!(error instanceof DomainError) || error.code === 'CHARGER_OFFLINE');
  try {
    await sql.begin(async (transaction) => {
      await (mayBegin
        ? expireRemoteStart(transaction, start.uuid)
        : refuseRemoteStart(transaction, start.uuid));
      if (hold !== null) await releaseHold(transaction, hold.id);
    });
  } catch {
    // A start and a hold that cannot be ended now end by their deadlines.
  }
}

/** Driver whose wallet pays for the session of a remote start. */
interface Payer {
  userId: number;
  /** Network of the charger. */
  networkId: number;
}

/**
 * Holds a network's minimum balance in the driver's wallet for the session of a remote start. Returns the hold, or null where the
 * minimum is zero. `shared/postgres/money/minimum-balance.ts` has the rule.
 * @param known the minimum, when the caller has read it.
 * @throws {DomainError} BALANCE_TOO_LOW.
 */
async function holdMinimum(
  transaction: Transaction,
  { userId, networkId }: Payer,
  remoteStartId: bigint,
  known?: MinimumBalance,
): Promise<{ id: bigint } | null> {
  const minimum = known ?? (await readMinimumBalance(transaction, networkId, userId));
  const { amountMinor, currency, isLacking } = minimum;
  if (isLacking) throw tooLow(amountMinor === 0n ? leastMinor : amountMinor, currency);
  if (amountMinor === 0n) return null;
  const expiresAt = new Date(Date.now() + remoteStartDeadlines.holdMs);
  const wanted = { userId, networkId, currency, amountMinor, expiresAt, remoteStartId };
  const hold = await placeHold(transaction, wanted);
  if (hold === null) throw tooLow(amountMinor, currency);
  return hold;
}

/** Smallest balance of a wallet that is not empty. */
const leastMinor = 1n;

function tooLow(amountMinor: bigint, currency: string): DomainError {
  const needed = toMajor(amountMinor, currency);
  return new DomainError('BALANCE_TOO_LOW', `A session needs ${needed} ${currency} in the wallet.`, {
    needed,
    currency,
  });
}

function newRemoteStartId(): number {
  return randomInt(1, maxRemoteStartId);
}

/** Returns the start to store. Its uuid is the cause of the request, so that the attempts of one request store one start. */
function newStart(
  by: Commander,
  { charger, position, idToken, limits }: StartOrder,
  remoteStartId: number,
): NewRemoteStart {
  const expiresAt = new Date(Date.now() + remoteStartDeadlines.pendingMs);
  const evse = position?.evse ?? null;
  return { uuid: causeOf(by), chargerId: charger.id, idToken, evse, remoteStartId, limits, expiresAt };
}

function commandOf({ position, idToken }: StartOrder, remoteStartId: number): RemoteStartCommand {
  const place = position && { evse: position.evse, connector: position.connector };
  return { type: 'remote-start', position: place, idToken, remoteStartId };
}

/** Returns one page of the remote starts of a charger, newest first. */
export function readRemoteStarts(
  { sql }: Pick<ServiceDeps, 'sql'>,
  charger: ChargerRecord,
  page: PageRequest,
): Promise<Page<RemoteStartRecord>> {
  return listRemoteStarts(sql, charger.id, page);
}

/** Error of a connector at which a session runs. */
export function occupied(number: number): DomainError {
  return new DomainError('CONNECTOR_UNAVAILABLE', `A session runs at the connector ${number}.`);
}
