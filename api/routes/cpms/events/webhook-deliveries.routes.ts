import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { CursorEnvelope, Envelope, success, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { operation } from '#api/routes/operation.ts';
import { cursorOf, cursorQuery, DateTime, Formed, periodOf, Uuid, idParams } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  listDeliveries,
  readDeadLetters,
  replayFrom,
  replayOne,
  testWebhook,
} from '#api/services/events/webhook-replay.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';
import {
  deadLetterView,
  DeadLetterView,
  Delivery,
  deliveryView,
  Outcome,
  Sequence,
  TestResult,
  testView,
} from './webhook-view.ts';

const ReplayStart = Type.Object(
  {
    afterSequence: Type.Optional(
      Sequence('Sequence of an event. The events after it are sent. Not together with `from`.'),
    ),
    from: Type.Optional(
      DateTime('Time from which on events are sent. The present time skips what was not sent yet.'),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);

const params = idParams('Webhook');
const read = { scope: 'cpms:read:webhooks' } as const;
const write = { scope: 'cpms:write:webhooks' } as const;
/** Registers the routes of the deliveries to a webhook: log, test, dead letters and replay. */
export function webhookDeliveryRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /webhooks/:uuid/deliveries', read, {
    operationId: 'listWebhookDeliveries',
    summary: 'List the attempts to deliver to a webhook, newest first',
    description: 'Attempts appear within 2 s. They are kept for LOG_DAYS (90 by default).',
    params,
    querystring: Type.Object({
      ...cursorQuery,
      from: Type.Optional(DateTime('Start of the window, inclusive.')),
      to: Type.Optional(DateTime('End of the window, inclusive.')),
      eventId: Type.Optional(
        Formed('a number of at most 18 digits without leading zeros', '^(0|[1-9]\\d{0,17})$', {
          description: 'Event to filter by.',
          examples: ['4711'],
        }),
      ),
      outcome: Type.Optional(Outcome),
    }),
    response: {
      200: CursorEnvelope(Delivery, 'One page of attempts.'),
      ...cpmsErrors('WEBHOOK_NOT_FOUND'),
    },
    handler: async (request) => {
      const { eventId, outcome } = request.query;
      const query = { ...cursorOf(request.query), ...periodOf(request.query), eventId, outcome };
      const { rows, nextCursor } = await listDeliveries(deps, callerOf(request), request.params.uuid, query);
      return successSlice(rows.map(deliveryView), nextCursor);
    },
  });

  operation(app, 'POST /webhooks/:uuid/test', write, {
    operationId: 'testWebhook',
    summary: 'Send a test event to a webhook and return the outcome',
    description:
      'Sends one signed event of the type `webhook.test` now, also to a disabled webhook. A failure is no error of this ' +
      'request, and is not tried again.',
    params,
    response: { 200: Envelope(TestResult, 'The outcome.'), ...cpmsErrors('WEBHOOK_NOT_FOUND') },
    handler: async (request) =>
      success(testView(await testWebhook(deps, actorOf(request), request.params.uuid))),
  });

  operation(app, 'POST /webhooks/:uuid/replay', write, {
    operationId: 'replayWebhook',
    summary: 'Send the events after a sequence or from a time on again',
    description:
      'Moves the position of the webhook. Events that were delivered before are sent again with the same `webhook-id`. ' +
      'Events that retention removed from the outbox are not sent.',
    params,
    body: ReplayStart,
    response: {
      200: Envelope(
        Type.Object({ afterSequence: Sequence('Sequence after which events are sent from now on.') }),
        'The webhook has its new position.',
      ),
      ...cpmsErrors('WEBHOOK_NOT_FOUND'),
    },
    handler: async (request) => {
      const { afterSequence, from } = request.body;
      if (afterSequence !== undefined && from !== undefined) {
        throw wrongField('from', 'must not be given together with afterSequence');
      }
      const start =
        afterSequence === undefined ? { time: new Date(from ?? '') } : { position: BigInt(afterSequence) };
      const position = await replayFrom(deps, actorOf(request), request.params.uuid, start);
      return success({ afterSequence: String(position).padStart(19, '0') });
    },
  });

  operation(app, 'GET /webhooks/:uuid/dead-letters', read, {
    operationId: 'listWebhookDeadLetters',
    summary: 'List the events that a webhook did not receive, oldest first',
    description:
      'Events that the receiver refused permanently or that were attempted for too long. They can be sent ' +
      'again.',
    params,
    querystring: Type.Object(cursorQuery),
    response: {
      200: CursorEnvelope(DeadLetterView, 'One page of dead letters.'),
      ...cpmsErrors('WEBHOOK_NOT_FOUND'),
    },
    handler: async (request) => {
      const { uuid } = request.params;
      const { rows, nextCursor } = await readDeadLetters(
        deps,
        callerOf(request),
        uuid,
        cursorOf(request.query),
      );
      return successSlice(rows.map(deadLetterView), nextCursor);
    },
  });

  operation(app, 'POST /webhooks/:uuid/dead-letters/:id/replay', write, {
    operationId: 'replayWebhookDeadLetter',
    summary: 'Send the event of a dead letter again',
    description: 'The event is sent soon, after later events of its subject, and is no dead letter any more.',
    params: Type.Object({ uuid: Uuid('Webhook identifier.'), id: Uuid('Dead letter identifier.') }),
    response: {
      202: Envelope(Type.Object({ id: Uuid('Dead letter identifier.') }), 'The event is due.'),
      ...cpmsErrors('WEBHOOK_NOT_FOUND', 'DEAD_LETTER_NOT_FOUND', 'DEAD_LETTER_LOST'),
    },
    handler: async (request, reply) => {
      const { uuid, id } = request.params;
      await replayOne(deps, actorOf(request), uuid, id);
      return reply.code(202).send(success({ id }));
    },
  });
}
