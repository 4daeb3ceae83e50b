import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { CursorEnvelope, successSlice, VersionedEnvelope } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { versioned } from '#api/routes/cpms/kernel/versioned.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  cursorOf,
  cursorQuery,
  Flag,
  idParams,
  Integer,
  Nullable,
  OptionalBody,
  Text,
  Url,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  type EndpointDetails,
  listWebhooks,
  maxEndpoints,
  readWebhook,
  rotateWebhookSecret,
  type ShownEndpoint,
} from '#api/services/events/webhook-endpoints.service.ts';
import { defined } from '#api/services/kernel/edits.service.ts';
import { Order, Types, Webhook, webhookView, WebhookWithSecret } from './webhook-view.ts';
import { VersionedResource } from '#api/routes/cpms/kernel/versioned-resource.ts';

const url = Url(
  500,
  'URL that receives the events: https, without user name, password and fragment, at a public address. http and other ' +
    'addresses are accepted where the installation allows them (`OUTBOUND_ALLOW`).',
  'https://harbour.example/events',
);

const optionalFields = {
  description: Type.Optional(Nullable(Text(500, 'Description. Null removes it.', 'Fleet dashboard'))),
  types: Type.Optional(Types),
  chargerId: Type.Optional(
    Nullable(Uuid('Charger whose events are received. Null: events of all chargers.')),
  ),
  locationId: Type.Optional(
    Nullable(Uuid('Location whose events are received. Null: events of all locations.')),
  ),
  order: Type.Optional(Order),
  isEnabled: Type.Optional(
    Flag(
      'True to deliver events. A webhook that is enabled again continues at its position. Default of a new one: true.',
    ),
  ),
};

const NewWebhook = Closed({
  ...optionalFields,
  url,
  networkUuid: Type.Optional(
    Uuid('Network whose events are received. Required when the caller has several networks.'),
  ),
});

const WebhookChange = Type.Object(
  { ...optionalFields, url: Type.Optional(url) },
  { additionalProperties: false, minProperties: 1 },
);

const Rotation = OptionalBody(
  Closed({
    overlapHours: Type.Optional(
      Integer('Time in hours for which requests are signed with the previous secret too.', 24, {
        minimum: 0,
        maximum: 168,
        default: 24,
      }),
    ),
  }),
);

const params = idParams('Webhook');
const read = { scope: 'cpms:read:webhooks' } as const;
const write = { scope: 'cpms:write:webhooks' } as const;
const ownerNote =
  'The caller needs `cpms:read:events` too, and becomes the owner of the webhook: delivery ends when the key is revoked or ' +
  'expires, or the operator loses the network.';

const defaultOverlapHours = 24;

const answerOf = (webhook: ShownEndpoint) => [webhook.endpoint, webhookView(webhook)] as const;

/** Registers the routes of webhooks. */
export function webhookRoutes(app: App, deps: ApiDeps): void {
  const webhooks = new VersionedResource(app, {
    path: '/webhooks',
    name: 'Webhook',
    scopes: { read: read.scope, write: write.scope },
    notFound: 'WEBHOOK_NOT_FOUND',
  });

  operation(app, 'GET /webhooks', read, {
    operationId: 'listWebhooks',
    summary: 'List webhooks, oldest first',
    description: "Webhooks of the caller's networks. Secrets are not shown.",
    querystring: Type.Object({ ...cursorQuery, ...networkQuery }),
    response: { 200: CursorEnvelope(Webhook, 'One page of webhooks.'), ...cpmsErrors('NETWORK_NOT_FOUND') },
    handler: async (request) => {
      const query = { ...cursorOf(request.query), networkUuid: networkOf(request.query) };
      const { rows, nextCursor } = await listWebhooks(deps, callerOf(request), query);
      return successSlice(rows.map(webhookView), nextCursor);
    },
  });

  webhooks.get({
    operationId: 'getWebhook',
    summary: 'Get a webhook with the state of its delivery',
    description:
      'Shows the oldest undelivered event, the last error and the time of the next attempt. Secrets are not ' +
      'shown.',
    answer: [Webhook, 'The webhook.'],
    read: async (caller, uuid) => answerOf(await readWebhook(deps, caller, uuid)),
  });

  operation(app, 'POST /webhooks', write, {
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description: `Events that occur from now on are sent to the URL, signed as Standard Webhooks. A network has at most ${maxEndpoints} webhooks. ${ownerNote}`,
    body: NewWebhook,
    response: {
      201: VersionedEnvelope(WebhookWithSecret, 'The created webhook.'),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'CHARGER_NOT_FOUND', 'LOCATION_NOT_FOUND', 'WEBHOOK_LIMIT_REACHED'),
    },
    handler: async (request, reply) => {
      const { networkUuid, ...body } = request.body;
      const details = { ...newDetails, ...detailsOf(body), url: body.url };
      const { secret, ...webhook } = await createWebhook(deps, actorOf(request), networkUuid, details);
      reply.header('cache-control', 'no-store');
      return versioned(reply.code(201), webhook.endpoint, { ...webhookView(webhook), secret });
    },
  });

  webhooks.patch({
    operationId: 'updateWebhook',
    summary: 'Update a webhook',
    description: `A change of URL, types, charger or location takes effect within 5 s; so does enabling it. ${ownerNote} A change of only the description or the order keeps the owner.`,
    body: WebhookChange,
    answer: [Webhook, 'The webhook after the change.'],
    errors: ['CHARGER_NOT_FOUND', 'LOCATION_NOT_FOUND'],
    change: async (by, uuid, expected, body) =>
      answerOf(await changeWebhook(deps, by, uuid, expected, detailsOf(body))),
  });

  webhooks.delete({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook with its dead letters',
    description: 'No event is sent any more, and undelivered events are dropped.',
    answer: 'The webhook is deleted. Requests in progress may still arrive.',
    remove: async (by, uuid, expected) => deleteWebhook(deps, by, uuid, expected),
  });

  operation(app, 'POST /webhooks/:uuid/rotate-secret', write, {
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret of a webhook',
    description: 'Requests carry the signatures of both secrets until the previous one expires.',
    params,
    body: Rotation,
    response: {
      200: VersionedEnvelope(WebhookWithSecret, 'The webhook with its new secret.'),
      ...cpmsErrors('WEBHOOK_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      const { overlapHours = defaultOverlapHours } = request.body ?? {};
      const { uuid } = request.params;
      const { secret, ...webhook } = await rotateWebhookSecret(deps, actorOf(request), uuid, overlapHours);
      reply.header('cache-control', 'no-store');
      return versioned(reply, webhook.endpoint, { ...webhookView(webhook), secret });
    },
  });
}

const newDetails = {
  description: null,
  types: [],
  chargerUuid: null,
  locationUuid: null,
  order: 'object',
  isEnabled: true,
} as const;

/** Returns the details that a body names. */
function detailsOf({
  chargerId,
  locationId,
  ...rest
}: Static<typeof WebhookChange>): Partial<EndpointDetails> {
  return defined({ ...rest, chargerUuid: chargerId, locationUuid: locationId }) as Partial<EndpointDetails>;
}
