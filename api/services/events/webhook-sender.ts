import { randomUUID } from 'node:crypto';
import { OutboundError } from '#api/services/access/outbound.ts';
import type { WebhookDelivery } from '#shared/clickhouse/webhook-deliveries.queries.ts';
import { outcomeOf, type WebhookOutcome } from '#shared/domain/events/webhook.ts';
import type { WebhookDeps } from './deps.ts';
import { keptAnswerBytes } from './webhook-log.ts';
import { signatureHeaders } from '#api/services/access/webhook-signature.ts';

/** Endpoint as a request needs it. */
interface Destination {
  endpointId: number;
  endpointUuid: string;
  networkId: number;
  url: string;
  /** The secrets that sign now, the present one first. */
  secrets: () => readonly string[];
}

/** Event to be sent. */
export interface Message {
  /** 0: a test. */
  eventId: bigint;
  /** Identifier of the message alongside the endpoint's: the same for each try. */
  key: string;
  type: string;
  body: string;
  /** Number of this try, from 1. */
  tryNumber: number;
}

/** Result of one request. */
export interface Attempt {
  outcome: WebhookOutcome;
  delivery: WebhookDelivery;
  /** Reason of the failure as a text; empty after a success. */
  error: string;
}

const userAgent = 'chargeway-webhooks/1';

/** Sends one event to an endpoint, signed, and logs the attempt. Never rejects for what the endpoint does. */
export async function sendWebhook(
  { webhookOutbound, deliveries }: Pick<WebhookDeps, 'webhookOutbound' | 'deliveries'>,
  to: Destination,
  { eventId, key, type, body, tryNumber }: Message,
  timeoutMs: number,
): Promise<Attempt> {
  const time = Date.now();
  const startedAt = performance.now();
  const content = { id: `${to.endpointUuid}_${key}`, timestamp: Math.floor(time / 1000), body };
  const { outcome, ...result } = await webhookOutbound
    .send({
      method: 'POST',
      url: to.url,
      headers: {
        'content-type': 'application/cloudevents+json; charset=utf-8',
        'user-agent': userAgent,
        ...signatureHeaders(content, to.secrets()),
      },
      body,
      timeoutMs,
      requiresTls: true,
      keptBytes: keptAnswerBytes,
    })
    .then(({ status, headers, text }) => ({
      outcome: outcomeOf(status, headers['retry-after'], Date.now()),
      httpStatus: status,
      answer: text,
      error: '',
    }))
    .catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error;
      const outcome: WebhookOutcome = { kind: 'unavailable', retryAfterMs: null };
      return { outcome, httpStatus: 0, answer: '', error: `${error.fault}: ${error.message}` };
    });
  const { networkId, endpointId } = to;
  const delivery = deliveries.add({
    networkId,
    endpointId,
    time,
    id: randomUUID(),
    eventId,
    type,
    tryNumber,
    outcome: outcome.kind,
    durationMs: performance.now() - startedAt,
    ...result,
  });
  const failure = result.httpStatus === 0 ? delivery.error : `HTTP ${result.httpStatus}`;
  return { outcome, delivery, error: outcome.kind === 'delivered' ? '' : failure };
}
