import { type Static, Type } from 'typebox';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';
import {
  DateTime,
  Decimal,
  Flag,
  Integer,
  isoOrNull,
  Named,
  NetworkNumber,
  Nullable,
  OneOf,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import type { ShownEndpoint } from '#api/services/events/webhook-endpoints.service.ts';
import type { DeadLetter, StoredDelivery, WebhookDelivery } from '#api/services/events/webhook-replay.ts';
import {
  deadLetterReasons,
  disabledReasons,
  filterTypes,
  webhookOrders,
} from '#shared/domain/events/webhook.ts';

export const Types = Type.Array(OneOf(filterTypes), {
  maxItems: filterTypes.length,
  uniqueItems: true,
  description:
    'Event types that the webhook receives. `session.*` stands for all types of a subject. Empty: all types.',
  examples: [['session.*', 'charger.status_changed']],
});

export const Order = OneOf(
  webhookOrders,
  'Order of delivery. object: events of one subject in their order, several subjects at a time. endpoint: all events ' +
    'in their order, one after the other.',
);

const sequence = {
  pattern: '^\\d{1,19}$',
  'x-accepts': 'a number of at most 19 digits',
  examples: ['0000000000000004711'],
};

export const Sequence = (description: string) => Type.String({ ...sequence, description });

const Health = Type.Object(
  {
    state: OneOf(
      ['HEALTHY', 'FAILING', 'DOWN', 'DISABLED'],
      'HEALTHY: the latest event was delivered. FAILING: the latest ones failed. DOWN: so many failed that one event at ' +
        'a time tests the endpoint. DISABLED: nothing is sent.',
    ),
    downSince: Nullable(DateTime('Time from which the endpoint counts as down. Null when it does not.')),
    nextTryAt: Nullable(DateTime('Time before which nothing is sent. Null without a pause.')),
    position: Sequence(
      'Sequence up to which each event is delivered, waits for a retry, or is a dead letter.',
    ),
    backlog: Integer(
      'Number of events of the network after `position`, at most 10,000, before the filter.',
      0,
    ),
    waiting: Integer(
      'Number of events that failed and are tried again, and of those that wait behind them.',
      0,
    ),
    deadLetters: Integer('Number of dead letters.', 0),
    delivered: Integer('Number of delivered events.', 1042),
    failed: Integer('Number of failed attempts.', 3),
    lastDeliveredAt: Nullable(DateTime('Time of the latest delivery. Null before the first one.')),
    lastFailedAt: Nullable(DateTime('Time of the latest failed attempt. Null when none failed.')),
    lastError: Nullable(Str('Error of the latest failed attempt. Null when none failed.', 'HTTP 503')),
  },
  { description: 'State of the delivery.' },
);

const webhookFields = {
  id: Uuid('Webhook identifier.'),
  networkId: NetworkNumber,
  networkUuid: Uuid('Network whose events the webhook receives.'),
  url: Str('URL that receives the events.', 'https://harbour.example/events'),
  description: Nullable(Str('Description. Null if not set.', 'Fleet dashboard')),
  types: Types,
  chargerId: Nullable(Uuid('Charger whose events the webhook receives. Null: events of all chargers.')),
  locationId: Nullable(Uuid('Location whose events the webhook receives. Null: events of all locations.')),
  order: Order,
  isEnabled: Flag('True when events are to be delivered.'),
  disabledReason: Nullable(
    OneOf(
      disabledReasons,
      'Reason why nothing is delivered. operator: an operator disabled the webhook. gone: it answered 410. unreachable: ' +
        'it was down for three days. owner-revoked: the key or operator that decided what it receives lost that right. ' +
        'secret-unreadable: `SEALING_KEY` changed, rotate the secret. ' +
        'Null while events are delivered.',
    ),
  ),
  previousSecretExpiresAt: Nullable(
    DateTime('Time until which requests are signed with the previous secret too. Null without one.'),
  ),
  health: Health,
  version: Version,
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
};

/** Webhook without its secret. */
export const Webhook = Named('Webhook', webhookFields);

/** Webhook with a new secret, shown once. */
export const WebhookWithSecret = Named('WebhookWithSecret', {
  ...webhookFields,
  secret: Str(
    'Secret that signs the requests (Standard Webhooks). Shown this once.',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  ),
});

function sequenceOf(position: bigint): string {
  return String(position).padStart(19, '0');
}

export function webhookView({ endpoint, health }: ShownEndpoint): Static<typeof Webhook> {
  const {
    failures,
    endpointId: _id,
    openUntil,
    downSince,
    previousSecretExpiresAt,
    canSign,
    ...state
  } = health;
  const disabledReason = endpoint.disabledReason ?? (canSign ? null : ('secret-unreadable' as const));
  const isFailing = downSince === null ? 'FAILING' : 'DOWN';
  return {
    id: endpoint.uuid,
    networkId: endpoint.networkId,
    networkUuid: endpoint.networkUuid,
    url: endpoint.url,
    description: endpoint.description,
    types: [...endpoint.types],
    chargerId: endpoint.chargerUuid,
    locationId: endpoint.locationUuid,
    order: endpoint.order,
    isEnabled: endpoint.isEnabled,
    disabledReason,
    previousSecretExpiresAt: isoOrNull(previousSecretExpiresAt),
    health: {
      ...state,
      state: disabledReason !== null ? 'DISABLED' : failures === 0 ? 'HEALTHY' : isFailing,
      downSince: isoOrNull(downSince),
      nextTryAt: isoOrNull(openUntil),
      position: sequenceOf(state.position),
      delivered: Number(state.delivered),
      failed: Number(state.failed),
      lastDeliveredAt: isoOrNull(state.lastDeliveredAt),
      lastFailedAt: isoOrNull(state.lastFailedAt),
    },
    version: endpoint.version,
    createdAt: endpoint.createdAt.toISOString(),
    updatedAt: endpoint.updatedAt.toISOString(),
  };
}

const outcomes = ['delivered', 'refused', 'unavailable', 'gone'] as const;

export const Outcome = OneOf(
  outcomes,
  'Outcome of the attempt. delivered: answered 2xx. refused: answered with another status. unavailable: no answer, or ' +
    '408, 425, 429, 502, 503 or 504. gone: answered 410.',
);

const deliveryFields = {
  time: DateTime('Time of the attempt.'),
  type: Str('Event type.', 'session.started'),
  outcome: Outcome,
  httpStatus: Nullable(Integer('HTTP status of the answer. Null without one.', 204)),
  durationMs: Decimal('Time until the answer or the failure, in ms.', 42.5),
  answer: Str('Beginning of the body of the answer, at most 1 KiB, with masked secrets.', 'ok'),
  error: Nullable(Str('Reason that there was no answer. Null when there was one.', 'timeout')),
};

/** Attempt to deliver an event. */
export const Delivery = Named('WebhookDelivery', {
  ...deliveryFields,
  eventId: Nullable(Str('Event identifier. Null for a test.', '4711')),
  tryNumber: Integer('Number of the try, from 1.', 1),
});

/** Outcome of a test. */
export const TestResult = Named('WebhookTest', deliveryFields);

export function deliveryView(delivery: StoredDelivery): Static<typeof Delivery> {
  const { eventId, tryNumber } = delivery;
  return { ...testView(delivery), eventId: eventId === '0' ? null : eventId, tryNumber };
}

export function testView(
  delivery: Omit<WebhookDelivery, 'time' | 'eventId' | 'networkId' | 'endpointId'> & { time: Date | number },
): Static<typeof TestResult> {
  const { time, type, outcome, httpStatus, durationMs, answer, error } = delivery;
  return {
    time: new Date(time).toISOString(),
    type,
    outcome,
    httpStatus: httpStatus === 0 ? null : httpStatus,
    durationMs,
    answer,
    error: error === '' ? null : error,
  };
}

/** Event that was given up, or a lost range. */
export const DeadLetterView = Named('WebhookDeadLetter', {
  id: Uuid('Dead letter identifier.'),
  reason: OneOf(
    deadLetterReasons,
    'refused: the webhook refused the event at each try. expired: the tries are over. unreachable: the webhook was down ' +
      'for three days and is disabled. lost: retention removed events that the webhook was too far behind to receive.',
  ),
  afterSequence: Sequence('Sequence after which the events begin.'),
  sequence: Sequence('Sequence of the event, or of the last one of a range.'),
  eventId: Nullable(Str('Event identifier. Null for a range.', '4711')),
  type: Nullable(Str('Event type. Null for a range.', 'session.started')),
  event: Nullable(
    Type.Object({}, { additionalProperties: true, description: 'Event as it was sent. Null for a range.' }),
  ),
  tries: Integer('Number of tries.', 8),
  lastError: Nullable(Str('Error of the last try. Null without one.', 'HTTP 500')),
  createdAt: DateTime('Time at which the event was given up. Dead letters are kept for 30 days.'),
});

export function deadLetterView(letter: DeadLetter): Static<typeof DeadLetterView> {
  const { uuid, reason, afterPosition, position, eventId, type, body, tries, lastError, createdAt } = letter;
  return {
    id: uuid,
    reason,
    type,
    tries,
    lastError,
    afterSequence: sequenceOf(afterPosition),
    sequence: sequenceOf(position),
    eventId: eventId === null ? null : String(eventId),
    event: body === null ? null : (JSON.parse(body) as object),
    createdAt: createdAt.toISOString(),
  };
}
