import { type Actor, auditChange } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { cutById, cutPage, decodeCursor, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import type { RoamingDeps } from './deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';
import { networkForNew, networksOfCall } from '#api/services/access/networks.service.ts';
import { requireVersion } from '#api/services/kernel/edits.service.ts';
import {
  type ExchangeFilter,
  readExchanges,
  type StoredExchange,
} from '#shared/clickhouse/ocpi-exchanges.queries.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  type HubParties,
  type OcpiEndpoint,
  type PartnerQuirks,
  type PartnerWriteScope,
  type Party,
  partyName,
} from '#shared/domain/roaming/ocpi.ts';
import { type PushedModule, pushedModules, pushPolicy } from '#shared/domain/roaming/ocpi-push.ts';
import { hashSecret, newPartnerToken } from '#shared/domain/kernel/secrets.ts';
import { type Transaction, violates } from '#shared/postgres/kernel/client.ts';
import { queueResync, wakeWaiting } from '#shared/postgres/roaming/ocpi-changes.ts';
import { grantParties, partyKey } from '#shared/postgres/roaming/ocpi-partner-parties.ts';
import {
  insertPartner,
  listPartnerEndpoints,
  listPartners,
  type PartnerRecord,
  type PartnerStatus,
  removePartner,
  resetPartner,
  updatePartner,
} from '#shared/postgres/roaming/ocpi-partners.statements.ts';
import { endLostRights } from '#shared/postgres/roaming/ocpi-partner-rights.ts';
import { removeHubClients } from '#shared/postgres/roaming/ocpi-hub-clients.statements.ts';
import { restartPulls } from '#shared/postgres/roaming/ocpi-list-pulls.ts';
import { findHandshake, type HandshakeRecord } from '#shared/postgres/roaming/ocpi-handshakes.ts';
import {
  type PushState,
  readPushStates,
  readWaitingPushes,
  type WaitingPushes,
} from '#shared/postgres/roaming/ocpi-pushes.ts';
import { ourRole } from './our-credentials.ts';
import { partners } from './partner-audit.ts';
import { requirePartnerGrant } from './partner-authority.ts';
import { requireTransition } from './registration/states.ts';

export type { HandshakeRecord } from '#shared/postgres/roaming/ocpi-handshakes.ts';
export type { PushState, WaitingPushes } from '#shared/postgres/roaming/ocpi-pushes.ts';
export type { StoredExchange } from '#shared/clickhouse/ocpi-exchanges.queries.ts';

/** Fields of a new partner that an operator sets. */
interface PartnerRegistration {
  networkUuid: string | undefined;
  name: string;
  /** Parties that it may register as; the first is that which it is known by. */
  parties: Party[];
  writeScopes?: PartnerWriteScope[] | undefined;
  quirks?: Partial<PartnerQuirks> | undefined;
  /** Requests within an hour; null: any number. */
  rateLimitPerHour?: number | null | undefined;
  /** Parties for which it speaks as a hub; null: it is no hub. */
  hubParties?: HubParties | null | undefined;
  /** True: it is shown the eMSPs of the network. */
  isNationalAccessPoint?: boolean | undefined;
  /** Validity of the tokens that we give it, in days; null: without end. */
  tokenValidDays?: number | null | undefined;
}

/** Fields of a partner that an operator changes. Undefined: unchanged. */
interface PartnerChange {
  name?: string | undefined;
  /** false: back from the suspension. */
  isSuspended?: boolean | undefined;
  /** All parties that it may register as. */
  parties?: Party[] | undefined;
  writeScopes?: PartnerWriteScope[] | undefined;
  quirks?: Partial<PartnerQuirks> | undefined;
  rateLimitPerHour?: number | null | undefined;
  /** Position among the partners that authorize unknown cards; null: it is not asked. */
  authorizationOrder?: number | null | undefined;
  /** Parties for which it speaks as a hub; null: it is no hub. */
  hubParties?: HubParties | null | undefined;
  /** True: it is shown the eMSPs of the network. */
  isNationalAccessPoint?: boolean | undefined;
  /** Validity of the tokens that we give it, in days; null: without end. */
  tokenValidDays?: number | null | undefined;
}

/** Partner with the state of its pushes. */
export interface ListedPartner {
  partner: PartnerRecord;
  push: PushState;
}

/** One page of the partners of the caller's networks with the state of their pushes, oldest first. */
export async function listOwnPartners(
  deps: RoamingDeps,
  caller: Caller,
  query: {
    networkUuid: string | undefined;
    status: PartnerStatus | undefined;
    cursor: string | undefined;
    limit: number;
  },
): Promise<{ rows: ListedPartner[]; nextCursor: string | null }> {
  const after = decodeIdCursor(query.cursor);
  const scope = await networksOfCall(deps, caller, query.networkUuid);
  const { rows, nextCursor } = cutById(
    await listPartners(deps.sql, scope, { status: query.status }, after, query.limit + 1),
    query.limit,
  );
  const ids = rows.map(({ id }) => id);
  const states = await readPushStates(deps.sql, pushPolicy.failuresToOpen, ids);
  const byUuid = new Map(states.map((state) => [state.partnerUuid, state]));
  const listed = rows.flatMap((partner) => {
    const push = byUuid.get(partner.uuid);
    return push === undefined ? [] : [{ partner, push }];
  });
  return { rows: listed, nextCursor };
}

/** Partner with what belongs to its page. */
export interface PartnerDetails extends ListedPartner {
  endpoints: OcpiEndpoint[];
  waiting: WaitingPushes[];
  /** Handshake in progress that we began, or null. */
  handshake: HandshakeRecord | null;
}

/**
 * Returns a partner with its endpoints, its handshake in progress and the state of its pushes.
 * @throws {DomainError} PARTNER_NOT_FOUND.
 */
export async function readPartner(
  { sql }: RoamingDeps,
  caller: Caller,
  uuid: string,
): Promise<PartnerDetails> {
  const partner = await partners.require(sql, caller.networks, uuid);
  const [push] = await readPushStates(sql, pushPolicy.failuresToOpen, [partner.id]);
  if (push === undefined) throw new DomainError('PARTNER_NOT_FOUND', `There is no partner ${uuid} any more.`);
  return {
    partner,
    push,
    endpoints: await listPartnerEndpoints(sql, partner.id),
    waiting: await readWaitingPushes(sql, partner.id),
    handshake: await findHandshake(sql, partner.id),
  };
}

/**
 * Sends a partner once more everything of these modules that changed since, at once: whatever it may have missed. CDRs that
 * it has are not sent again. Its circuit breaker is closed.
 * @returns how many objects are sent.
 * @throws {DomainError} PARTNER_NOT_FOUND, PARTNER_NOT_REGISTERED.
 */
export async function resyncPartner(
  { sql }: RoamingDeps,
  by: Actor,
  uuid: string,
  { modules = pushedModules, since = null }: { modules?: readonly PushedModule[]; since?: Date | null },
): Promise<number> {
  return sql.begin(async (transaction) => {
    const partner = await partners.require(transaction, by.caller.networks, uuid, true);
    if (partner.status !== 'REGISTERED') {
      throw new DomainError('PARTNER_NOT_REGISTERED', 'Only a registered partner receives pushes.');
    }
    const queued = await queueResync(transaction, partner, modules, since);
    await auditChange(transaction, by, {
      ...partners.entryOf(partner, 'resync'),
      before: null,
      after: { modules, since: since?.toISOString() ?? null, queued },
    });
    return queued;
  });
}

/**
 * Makes a partner.
 * @returns the token that it registers with: stored as a hash, so this is the only time it is seen.
 * @throws {DomainError} NETWORK_NOT_FOUND, OCPI_PARTY_EXISTS, VALIDATION_FAILED, SCOPE_MISSING, KEY_LIMIT_EXCEEDED.
 */
export async function createPartner(
  deps: RoamingDeps,
  by: Actor,
  registration: PartnerRegistration,
): Promise<{ partner: PartnerRecord; token: string }> {
  const network = await networkForNew(deps, by.caller, registration.networkUuid);
  const {
    name,
    parties,
    writeScopes = [],
    quirks = {},
    rateLimitPerHour = null,
    hubParties = null,
    isNationalAccessPoint = false,
    tokenValidDays = null,
  } = registration;
  requirePartnerGrant(by.caller, writeScopes);
  return granting(deps, network.id, parties, async (transaction) => {
    const token = newPartnerToken();
    const limits = { rateLimitPerHour, tokenValidDays };
    const marks = { hubParties, isNationalAccessPoint };
    const made = { networkId: network.id, name, parties, writeScopes, quirks, ...limits, ...marks };
    const uuid = await insertPartner(transaction, { ...made, tokenHash: hashSecret(token) });
    const after = await partners.require(transaction, by.caller.networks, uuid);
    await endLostRights(transaction, after.id);
    await partners.audit(transaction, by, 'create', null, after);
    return { partner: after, token };
  });
}

/**
 * Changes what an operator decides of a partner. Roles of parties that are not granted any more are dropped. A change that can
 * give the partner more takes the authority that creating one takes.
 * @throws {DomainError} PARTNER_NOT_FOUND, PRECONDITION_FAILED, OCPI_PARTY_EXISTS, SCOPE_MISSING, KEY_LIMIT_EXCEEDED.
 */
export async function changePartner(
  deps: RoamingDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  change: PartnerChange,
): Promise<PartnerRecord> {
  const { networkId } = await partners.require(deps.sql, by.caller.networks, uuid);
  if (givesMore(change)) requirePartnerGrant(by.caller, change.writeScopes ?? []);
  const isRegranted = change.parties !== undefined || change.hubParties !== undefined;
  const changed = await granting(deps, networkId, change.parties ?? [], async (transaction) => {
    const before = await partners.require(transaction, by.caller.networks, uuid, true);
    requireVersion(before, expected);
    await updatePartner(transaction, before.id, {
      name: change.name ?? before.name,
      status: statusAfter(before, change.isSuspended),
      writeScopes: change.writeScopes ?? before.writeScopes,
      quirks: { ...before.quirks, ...change.quirks },
      rateLimitPerHour:
        change.rateLimitPerHour === undefined ? before.rateLimitPerHour : change.rateLimitPerHour,
      authorizationOrder:
        change.authorizationOrder === undefined ? before.authorizationOrder : change.authorizationOrder,
      hubParties: change.hubParties === undefined ? before.hubParties : change.hubParties,
      isNationalAccessPoint: change.isNationalAccessPoint ?? before.isNationalAccessPoint,
      tokenValidDays: change.tokenValidDays === undefined ? before.tokenValidDays : change.tokenValidDays,
    });
    if (isRegranted) {
      await grantParties(transaction, before.id, change.parties ?? before.parties);
      await restartPulls(transaction, networkId, before.id);
    }
    if (change.hubParties === null) await removeHubClients(transaction, before.id);
    await endLostRights(transaction, before.id);
    const after = await partners.require(transaction, by.caller.networks, uuid);
    await partners.audit(transaction, by, 'update', before, after);
    return after;
  });
  // Pushes that waited for a party may have a receiver again.
  if (isRegranted) await wakeWaiting(deps.sql, changed.id);
  return changed;
}

/**
 * Runs a transaction that grants parties of a network.
 * @throws {DomainError} OCPI_PARTY_EXISTS: one of them is another partner's, or the network itself.
 */
async function granting<T>(
  deps: RoamingDeps,
  networkId: number,
  parties: readonly Party[],
  grant: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const ours = partyName(await ourRole(deps, networkId));
  if (parties.some((party) => partyName(party) === ours)) {
    throw new DomainError(
      'OCPI_PARTY_EXISTS',
      `${ours} is the network's own party: a partner cannot have it.`,
    );
  }
  try {
    return (await deps.sql.begin(grant)) as T;
  } catch (error) {
    if (!violates(error, partyKey) && !violates(error, 'ocpi_partners_party_key')) throw error;
    throw new DomainError('OCPI_PARTY_EXISTS', 'The network has one of these parties as a partner already.');
  }
}

/**
 * Ends a partner's registration and gives it a new token to register with.
 * @throws {DomainError} PARTNER_NOT_FOUND, SCOPE_MISSING, KEY_LIMIT_EXCEEDED.
 */
export async function renewRegistrationToken(
  { sql }: RoamingDeps,
  by: Actor,
  uuid: string,
): Promise<{ partner: PartnerRecord; token: string }> {
  return sql.begin(async (transaction) => {
    const token = newPartnerToken();
    const before = await partners.require(transaction, by.caller.networks, uuid, true);
    requirePartnerGrant(by.caller, before.writeScopes);
    requireTransition(before.registration, 'invite');
    await resetPartner(transaction, before.id, hashSecret(token));
    const after = await partners.require(transaction, by.caller.networks, uuid);
    await partners.audit(transaction, by, 'renew-registration-token', before, after);
    return { partner: after, token };
  });
}

/**
 * Removes a partner; its tokens are worth nothing from now on.
 * @throws {DomainError} PARTNER_NOT_FOUND, PRECONDITION_FAILED.
 */
export async function deletePartner(
  { sql }: RoamingDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<void> {
  await partners.remove(sql, by, uuid, expected, async (transaction, { id, networkId }) => {
    await removePartner(transaction, id);
    await restartPulls(transaction, networkId, id);
  });
}

/**
 * Returns the exchanges with a partner, newest first.
 * @throws {DomainError} PARTNER_NOT_FOUND, VALIDATION_FAILED, STORE_UNAVAILABLE.
 */
export async function readPartnerExchanges(
  deps: RoamingDeps,
  caller: Caller,
  uuid: string,
  query: Omit<ExchangeFilter, 'before'> & { cursor: string | undefined; limit: number },
): Promise<{ rows: StoredExchange[]; nextCursor: string | null }> {
  const { cursor, limit, ...filter } = query;
  const place = cursor === undefined ? undefined : decodeCursor(cursor);
  const { partner } = await readPartner(deps, caller, uuid);
  const before = place && { time: place.time, digest: place.tie };
  const rows = await fromClickHouse(
    readExchanges(deps.clickhouse, partner, { ...filter, before }, limit + 1),
  );
  return cutPage(rows, limit, ({ time, digest }) => ({ time, tie: digest }));
}

/** Returns true when a change can widen what a partner does; a name, a quirk and a suspension cannot. */
function givesMore(change: PartnerChange): boolean {
  const { isSuspended, parties, writeScopes, rateLimitPerHour, authorizationOrder, hubParties } = change;
  const { isNationalAccessPoint, tokenValidDays } = change;
  return (
    isSuspended === false ||
    parties !== undefined ||
    (writeScopes !== undefined && writeScopes.length > 0) ||
    rateLimitPerHour !== undefined ||
    typeof authorizationOrder === 'number' ||
    hubParties !== undefined ||
    isNationalAccessPoint === true ||
    tokenValidDays !== undefined
  );
}

function statusAfter({ status, theirToken }: PartnerRecord, isSuspended: boolean | undefined): PartnerStatus {
  if (isSuspended === undefined) return status;
  if (isSuspended) return 'SUSPENDED';
  return theirToken === null ? 'PENDING' : 'REGISTERED';
}
