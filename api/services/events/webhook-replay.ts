import { type Actor, auditChange, auditReported } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { cutById, cutPage, decodeCursor, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';
import {
  type DeliveryFilter,
  readDeliveries,
  type StoredDelivery,
  type WebhookDelivery,
} from '#shared/clickhouse/webhook-deliveries.queries.ts';
import { webhookPolicy } from '#shared/domain/events/webhook.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  type DeadLetter,
  listDeadLetters,
  lockDeadLetter,
  replayDeadLetter,
} from '#shared/postgres/events/webhook-dead-letters.ts';
import { newestPosition } from '#shared/postgres/events/event-log.ts';
import { endLease, moveLane, positionBefore } from '#shared/postgres/events/webhook-lanes.ts';
import type { WebhookDeps } from './deps.ts';
import { webhooks } from './webhook-endpoints.service.ts';
import { openSecrets } from './webhook-secrets.ts';
import { sendWebhook } from './webhook-sender.ts';

export type { DeadLetter } from '#shared/postgres/events/webhook-dead-letters.ts';
export type { StoredDelivery, WebhookDelivery } from '#shared/clickhouse/webhook-deliveries.queries.ts';

/**
 * Returns a page of the dead letters of an endpoint, oldest first.
 * @throws {DomainError} WEBHOOK_NOT_FOUND.
 */
export async function readDeadLetters(
  { sql }: WebhookDeps,
  caller: Caller,
  uuid: string,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: DeadLetter[]; nextCursor: string | null }> {
  const after = decodeIdCursor(cursor, 'bigint');
  const { id } = await webhooks.require(sql, caller.networks, uuid);
  return cutById(await listDeadLetters(sql, id, after, limit + 1), limit);
}

/**
 * Makes the event of a dead letter due again. It is tried alongside the order of its subject, whose later events were delivered.
 * @throws {DomainError} WEBHOOK_NOT_FOUND, DEAD_LETTER_NOT_FOUND, DEAD_LETTER_LOST.
 */
export async function replayOne(
  { sql }: WebhookDeps,
  by: Actor,
  uuid: string,
  letterUuid: string,
): Promise<void> {
  await sql.begin(async (transaction) => {
    const endpoint = await webhooks.require(transaction, by.caller.networks, uuid);
    const letter = await lockDeadLetter(transaction, endpoint.id, letterUuid);
    if (letter === null) {
      throw new DomainError('DEAD_LETTER_NOT_FOUND', `The webhook has no dead letter ${letterUuid}.`);
    }
    if (letter.body === null) {
      throw new DomainError('DEAD_LETTER_LOST', 'This dead letter names events that retention has removed.');
    }
    await replayDeadLetter(transaction, letter.id);
    await endLease(transaction, endpoint.id);
    const replayed = { eventId: String(letter.eventId), type: letter.type };
    await auditChange(transaction, by, {
      ...webhooks.entryOf(endpoint, 'replay'),
      before: null,
      after: replayed,
    });
  });
}

/**
 * Moves an endpoint to a position, after which every event is delivered, again or not.
 * @param from position of an event, after which it begins, or a time from which on it begins.
 * @returns the position.
 * @throws {DomainError} WEBHOOK_NOT_FOUND, VALIDATION_FAILED for a position in the future.
 */
export async function replayFrom(
  { sql }: WebhookDeps,
  by: Actor,
  uuid: string,
  from: { position: bigint } | { time: Date },
): Promise<bigint> {
  return sql.begin(async (transaction) => {
    const endpoint = await webhooks.require(transaction, by.caller.networks, uuid, true);
    if ('position' in from && from.position > (await newestPosition(transaction))) {
      throw wrongField('afterSequence', 'must be the sequence of an event');
    }
    const position =
      'position' in from ? from.position : await positionBefore(transaction, endpoint.networkId, from.time);
    await moveLane(transaction, endpoint.id, position);
    const after = { position: String(position) };
    await auditChange(transaction, by, { ...webhooks.entryOf(endpoint, 'replay'), before: null, after });
    return position;
  });
}

/**
 * Returns a page of the attempts to deliver to an endpoint, newest first.
 * @throws {DomainError} WEBHOOK_NOT_FOUND, VALIDATION_FAILED, STORE_UNAVAILABLE.
 */
export async function listDeliveries(
  { sql, clickhouse }: WebhookDeps,
  caller: Caller,
  uuid: string,
  {
    cursor,
    limit,
    ...filter
  }: Omit<DeliveryFilter, 'before'> & { cursor: string | undefined; limit: number },
): Promise<{ rows: StoredDelivery[]; nextCursor: string | null }> {
  const place = cursor === undefined ? undefined : decodeCursor(cursor);
  const { id } = await webhooks.require(sql, caller.networks, uuid);
  const before = place && { time: place.time, digest: place.tie };
  const rows = await fromClickHouse(readDeliveries(clickhouse, id, { ...filter, before }, limit + 1));
  return cutPage(rows, limit, ({ time, digest }) => ({ time, tie: digest }));
}

/**
 * Sends an endpoint a signed event of the type `webhook.test` now, disabled or not, and returns the outcome.
 * @throws {DomainError} WEBHOOK_NOT_FOUND.
 */
export async function testWebhook(deps: WebhookDeps, by: Actor, uuid: string): Promise<WebhookDelivery> {
  const endpoint = await webhooks.require(deps.sql, by.caller.networks, uuid);
  const { id, networkId, networkUuid, url } = endpoint;
  const type = 'webhook.test';
  const time = new Date();
  const key = `test-${time.getTime()}`;
  const body = JSON.stringify({
    specversion: '1.0',
    id: key,
    source: `${deps.settings.publicUrl}/cpms/v1/networks/${networkUuid}`,
    type,
    subject: `webhook/${uuid}`,
    time: time.toISOString(),
    datacontenttype: 'application/json',
    data: {},
  });
  const destination = {
    endpointId: id,
    endpointUuid: uuid,
    networkId,
    url,
    secrets: await openSecrets(deps, id),
  };
  const message = { eventId: 0n, key, type, body, tryNumber: 1 };
  const { delivery } = await sendWebhook(deps, destination, message, webhookPolicy.timeoutMs);
  const { outcome, httpStatus, error } = delivery;
  await auditReported(deps.sql, by, {
    ...webhooks.entryOf(endpoint, 'test'),
    description: `webhook ${new URL(url).host}: test: ${outcome}`,
    details: { outcome, httpStatus, error },
  });
  return delivery;
}
