import { isDeepStrictEqual } from 'node:util';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import { type Caller, requireScope } from '#api/services/access/callers.ts';
import { requireCallableUrl } from '#api/services/access/callable-url.ts';
import { keepNetwork, networkForNew, networksOfCall } from '#api/services/access/networks.service.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import { defined, requireVersion } from '#api/services/kernel/edits.service.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  addSecret,
  type EndpointDetails,
  type EndpointOwner,
  type EndpointRecord,
  findEndpoint,
  insertEndpoint,
  isInNetwork,
  listEndpoints,
  removeEndpoint,
  touchEndpoint,
  updateEndpoint,
} from '#shared/postgres/events/webhook-endpoints.statements.ts';
import { readHealth, type WebhookHealth } from '#shared/postgres/events/webhook-health.ts';
import { reopenLane } from '#shared/postgres/events/webhook-lanes.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { countOfNetwork } from '#shared/postgres/kernel/records.statements.ts';
import type { WebhookDeps } from './deps.ts';
import { newWebhookSecret } from '#api/services/access/webhook-signature.ts';
import { AuditedRecords } from '#api/services/access/audited-records.ts';

export type { EndpointDetails } from '#shared/postgres/events/webhook-endpoints.statements.ts';

/** Endpoint with the state of its delivery. */
export interface ShownEndpoint {
  endpoint: EndpointRecord;
  health: WebhookHealth;
}

/** Endpoints of one network. */
export const maxEndpoints = 100;

/** Lists the endpoints of the caller's networks, oldest first. */
export async function listWebhooks(
  deps: WebhookDeps,
  caller: Caller,
  query: { networkUuid: string | undefined; cursor: string | undefined; limit: number },
): Promise<{ rows: ShownEndpoint[]; nextCursor: string | null }> {
  const after = decodeIdCursor(query.cursor);
  const scope = await networksOfCall(deps, caller, query.networkUuid);
  const found = await listEndpoints(deps.sql, scope, after, query.limit + 1);
  const { rows, nextCursor } = cutById(found, query.limit);
  return { rows: await shownAll(deps, deps.sql, rows), nextCursor };
}

/** @throws {DomainError} WEBHOOK_NOT_FOUND. */
export async function readWebhook(deps: WebhookDeps, caller: Caller, uuid: string): Promise<ShownEndpoint> {
  return shown(deps, deps.sql, await webhooks.require(deps.sql, caller.networks, uuid));
}

/** Webhooks and their changes. */
export const webhooks = new AuditedRecords<EndpointRecord>({
  category: 'webhook',
  notFound: 'WEBHOOK_NOT_FOUND',
  find: findEndpoint,
  networkOf: ({ networkId }) => networkId,
  nameOf: ({ url }) => new URL(url).host,
  audited: ({ url, description, types, chargerUuid, locationUuid, order, isEnabled }) => ({
    url,
    description,
    types,
    chargerUuid,
    locationUuid,
    order,
    isEnabled,
  }),
});

/**
 * Creates an endpoint, which the caller owns. The secret is in this answer only.
 * @throws {DomainError} NETWORK_NOT_FOUND, SCOPE_MISSING, VALIDATION_FAILED, WEBHOOK_LIMIT_REACHED.
 */
export async function createWebhook(
  deps: WebhookDeps,
  by: Actor,
  networkUuid: string | undefined,
  details: EndpointDetails,
): Promise<ShownEndpoint & { secret: string }> {
  requireScope(by.caller, 'cpms:read:events');
  const network = await networkForNew(deps, by.caller, networkUuid);
  await requireCallableUrl(deps.webhookOutbound, details.url);
  const secret = newWebhookSecret();
  return deps.sql.begin(async (transaction) => {
    await keepNetwork(transaction, network);
    if ((await countOfNetwork(transaction, 'webhook_endpoints', network.id)) >= maxEndpoints) {
      throw new DomainError(
        'WEBHOOK_LIMIT_REACHED',
        `A network has at most ${maxEndpoints} webhooks: delete one.`,
      );
    }
    await requireOwnFilter(transaction, network.id, details);
    const { id, uuid } = await insertEndpoint(transaction, network.id, details, ownerOf(by.caller));
    await storeSecret(deps, transaction, id, secret, 0);
    const made = await webhooks.require(transaction, by.caller.networks, uuid);
    await webhooks.audit(transaction, by, 'create', null, made);
    return { ...(await shown(deps, transaction, made)), secret };
  });
}

/**
 * Changes an endpoint. A change of what it receives, or where, makes the caller its owner.
 * @throws {DomainError} WEBHOOK_NOT_FOUND, PRECONDITION_FAILED, SCOPE_MISSING, VALIDATION_FAILED.
 */
export async function changeWebhook(
  deps: WebhookDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  change: Partial<EndpointDetails>,
): Promise<ShownEndpoint> {
  if (change.url !== undefined) await requireCallableUrl(deps.webhookOutbound, change.url);
  return deps.sql.begin(async (transaction) => {
    const before = await webhooks.require(transaction, by.caller.networks, uuid, true);
    requireVersion(before, expected);
    const details: EndpointDetails = { ...before, ...defined(change) };
    const isOwned = givesMore(before, details, change);
    if (isOwned) requireScope(by.caller, 'cpms:read:events');
    await requireOwnFilter(transaction, before.networkId, details);
    await updateEndpoint(transaction, before.id, details, isOwned ? ownerOf(by.caller) : null);
    if (change.isEnabled === true && !before.isEnabled) await reopenLane(transaction, before.id);
    const after = await webhooks.require(transaction, by.caller.networks, uuid);
    await webhooks.audit(transaction, by, 'update', before, after);
    return shown(deps, transaction, after);
  });
}

/** @throws {DomainError} WEBHOOK_NOT_FOUND, PRECONDITION_FAILED. */
export async function deleteWebhook(
  { sql }: WebhookDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<void> {
  await webhooks.remove(sql, by, uuid, expected, (transaction, { id }) => removeEndpoint(transaction, id));
}

/**
 * Gives an endpoint a new secret, in this answer only. Requests are signed with the previous one too, for `overlapHours`.
 * @throws {DomainError} WEBHOOK_NOT_FOUND.
 */
export async function rotateWebhookSecret(
  deps: WebhookDeps,
  by: Actor,
  uuid: string,
  overlapHours: number,
): Promise<ShownEndpoint & { secret: string }> {
  const secret = newWebhookSecret();
  return deps.sql.begin(async (transaction) => {
    const before = await webhooks.require(transaction, by.caller.networks, uuid, true);
    await storeSecret(deps, transaction, before.id, secret, overlapHours);
    await touchEndpoint(transaction, before.id);
    await auditChange(transaction, by, {
      ...webhooks.entryOf(before, 'rotate-secret'),
      before: null,
      after: { overlapHours },
    });
    return {
      ...(await shown(deps, transaction, await webhooks.require(transaction, by.caller.networks, uuid))),
      secret,
    };
  });
}

/** Returns true when a change decides what an endpoint receives, or where. */
function givesMore(
  before: EndpointDetails,
  after: EndpointDetails,
  { isEnabled }: Partial<EndpointDetails>,
): boolean {
  return isEnabled === true || !isDeepStrictEqual(decisive(before), decisive(after));
}

function decisive({ url, types, chargerUuid, locationUuid }: EndpointDetails) {
  return [url, types, chargerUuid, locationUuid];
}

function ownerOf({ who }: Caller): EndpointOwner {
  return {
    keyId: who.kind === 'key' ? who.id : null,
    operatorId: who.kind === 'operator' ? who.id : null,
  };
}

async function storeSecret(
  { secrets }: WebhookDeps,
  transaction: Transaction,
  endpointId: number,
  secret: string,
  overlapHours: number,
): Promise<void> {
  await addSecret(
    transaction,
    endpointId,
    { sealed: secrets.seal(secret), sealingKey: secrets.id },
    overlapHours,
  );
}

async function requireOwnFilter(
  sql: Queryable,
  networkId: number,
  { chargerUuid, locationUuid }: EndpointDetails,
): Promise<void> {
  if (chargerUuid !== null && !(await isInNetwork(sql, networkId, 'chargers', chargerUuid))) {
    throw new DomainError('CHARGER_NOT_FOUND', `The network has no charger ${chargerUuid}.`);
  }
  if (locationUuid !== null && !(await isInNetwork(sql, networkId, 'locations', locationUuid))) {
    throw new DomainError('LOCATION_NOT_FOUND', `The network has no location ${locationUuid}.`);
  }
}

async function shown(deps: WebhookDeps, sql: Queryable, endpoint: EndpointRecord): Promise<ShownEndpoint> {
  const [one] = await shownAll(deps, sql, [endpoint]);
  if (one === undefined) throw new DomainError('WEBHOOK_NOT_FOUND', 'The webhook was deleted meanwhile.');
  return one;
}

async function shownAll(
  { secrets }: WebhookDeps,
  sql: Queryable,
  endpoints: readonly EndpointRecord[],
): Promise<ShownEndpoint[]> {
  const ids = endpoints.map(({ id }) => id);
  const states = await readHealth(sql, ids, secrets.knownIds);
  // A webhook that is deleted meanwhile has no state.
  return endpoints.flatMap((endpoint) => {
    const health = states.get(endpoint.id);
    return health === undefined ? [] : [{ endpoint, health }];
  });
}
