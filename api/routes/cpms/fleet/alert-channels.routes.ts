import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { CursorEnvelope, Envelope, success, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';
import { VersionedResource } from '#api/routes/cpms/kernel/versioned-resource.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  cursorOf,
  cursorQuery,
  DateTime,
  Flag,
  Formed,
  idParams,
  Integer,
  isoOrNull,
  Named,
  NetworkNumber,
  Nullable,
  OneOf,
  Str,
  Text,
  Url,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  type AlertChannelRecord,
  alertChannels,
  changeAlertChannel,
  type ChannelAttempt,
  createAlertChannel,
  deleteAlertChannel,
  readAlertChannels,
  testAlertChannel,
} from '#api/services/fleet/alert-channels.service.ts';
import { alertChannelFormats, alertChannelPolicy } from '#shared/domain/fleet/alert-channel.ts';
import { alertKinds, alertSeverities } from '#shared/domain/fleet/alert.ts';
import { Kind, languages } from './alert-rule-schema.ts';

const Format = OneOf(
  alertChannelFormats,
  'Format of the requests. webhook: JSON, with a signature if `signingSecret` is set. slack: an incoming webhook. teams: a ' +
    'workflow of Microsoft Teams that posts a received card. pagerduty: the Events API v2.',
);

const fields = {
  name: Text(100, 'Name of the channel.', 'On call'),
  kinds: Type.Array(Kind, {
    maxItems: alertKinds.length,
    uniqueItems: true,
    description: 'Kinds of alerts that the channel receives. Empty: all kinds.',
    examples: [['charger-faulted', 'location-offline']],
  }),
  minimumSeverity: OneOf(
    alertSeverities,
    'Lowest severity that the channel receives. warning: all alerts. critical: critical alerts only.',
  ),
  language: Nullable(OneOf(languages, 'Language of the messages. Null for the language of the network.')),
  isEnabled: Flag('True to send alerts to the channel.'),
};

const secrets = {
  url: Type.Optional(
    Url(
      2000,
      'Address that receives the requests: https, at a public address. It is never returned. Required, except for ' +
        'pagerduty, whose default is the address of its Events API. http and other addresses are accepted where the ' +
        'installation allows them (`OUTBOUND_ALLOW`). A new address of pagerduty requires `routingKey`.',
      'https://hooks.slack.com/services/T000/B000/XXXX',
    ),
  ),
  routingKey: Type.Optional(
    Formed('an integration key of 32 letters and digits', '^[A-Za-z0-9]{32}$', {
      description: 'Integration key of a PagerDuty service. Required for pagerduty. It is never returned.',
      examples: ['R0123456789ABCDEF0123456789ABCDE'],
    }),
  ),
  signingSecret: Type.Optional(
    Nullable(
      Formed('a secret of Standard Webhooks', '^whsec_[A-Za-z0-9+/]{32,88}={0,2}$', {
        description:
          'Secret that signs the requests of the format webhook (Standard Webhooks). It is never returned. Null: the ' +
          'requests are not signed.',
        examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
      }),
    ),
  ),
};

const AlertChannel = Named('AlertChannel', {
  id: Uuid('Channel identifier.'),
  networkId: NetworkNumber,
  networkUuid: Uuid('Network whose alerts the channel receives.'),
  format: Format,
  ...fields,
  name: Str('Name of the channel.', 'On call'),
  targetSetAt: DateTime('Time at which the address or a secret was set.'),
  waiting: Integer('Number of notices that are to be sent.', 0),
  failures: Integer(
    'Number of failed requests since the latest delivery. 0: the latest request succeeded.',
    0,
  ),
  lastDeliveredAt: Nullable(DateTime('Time of the latest delivery. Null before the first one.')),
  lastFailedAt: Nullable(DateTime('Time of the latest failed request. Null when none failed.')),
  lastError: Nullable(
    Str(
      'Error of the latest failed request: the HTTP status, or `timeout`, `unreachable` or `address-refused`. Null when ' +
        'none failed.',
      'HTTP 404',
    ),
  ),
  version: Version,
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
});

const optional = {
  kinds: Type.Optional(fields.kinds),
  minimumSeverity: Type.Optional(fields.minimumSeverity),
  language: Type.Optional(fields.language),
  isEnabled: Type.Optional(fields.isEnabled),
};

const NewChannel = Closed({
  networkUuid: Type.Optional(
    Uuid('Network whose alerts are received. Required when the caller has several networks.'),
  ),
  name: fields.name,
  format: Format,
  ...optional,
  ...secrets,
});

const ChannelChange = Type.Object(
  { name: Type.Optional(fields.name), ...optional, ...secrets },
  { additionalProperties: false, minProperties: 1 },
);

const TestResult = Named('AlertChannelTest', {
  outcome: OneOf(
    ['delivered', 'refused', 'unavailable', 'gone'],
    'Outcome of the test. delivered: answered 2xx. refused: answered with another status. unavailable: no answer, or 408, ' +
      '425, 429, 502, 503 or 504. gone: answered 410.',
  ),
  httpStatus: Nullable(Integer('HTTP status of the answer. Null without one.', 200)),
  error: Nullable(Str('Reason of the failure. Null after a success.', 'timeout')),
});

/** Returns a channel without its secrets. */
function view(channel: AlertChannelRecord): Static<typeof AlertChannel> {
  return {
    id: channel.uuid,
    networkId: channel.networkId,
    networkUuid: channel.networkUuid,
    name: channel.name,
    format: channel.format,
    kinds: [...channel.kinds],
    minimumSeverity: channel.minimumSeverity,
    language: languages.find((language) => language === channel.language) ?? null,
    isEnabled: channel.isEnabled,
    targetSetAt: channel.targetSetAt.toISOString(),
    waiting: channel.waiting,
    failures: channel.failures,
    lastDeliveredAt: isoOrNull(channel.lastDeliveredAt),
    lastFailedAt: isoOrNull(channel.lastFailedAt),
    lastError: channel.lastError,
    version: channel.version,
    createdAt: channel.createdAt.toISOString(),
    updatedAt: channel.updatedAt.toISOString(),
  };
}

const answerOf = (channel: AlertChannelRecord) => [channel, view(channel)] as const;

const testView = ({ outcome, httpStatus, error }: ChannelAttempt): Static<typeof TestResult> => ({
  outcome: outcome.kind,
  httpStatus,
  error,
});

const newDetails = { kinds: [], minimumSeverity: 'warning', language: null, isEnabled: true } as const;

/** Registers the routes of channels that alerts are sent to. */
export function alertChannelRoutes(app: App, deps: ApiDeps): void {
  const channels = new VersionedResource(app, {
    path: '/alert-channels',
    name: 'Channel',
    scopes: { read: 'cpms:read:alerts', write: 'cpms:write:alerts' },
    notFound: 'ALERT_CHANNEL_NOT_FOUND',
  });

  operation(app, 'GET /alert-channels', 'cpms:read:alerts', {
    operationId: 'listAlertChannels',
    summary: 'List the channels that alerts are sent to, oldest first',
    description:
      "Channels of the caller's networks, with their latest delivery. Addresses and keys are not shown.",
    querystring: Type.Object({ ...cursorQuery, ...networkQuery }),
    response: {
      200: CursorEnvelope(AlertChannel, 'One page of channels.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const query = { ...cursorOf(request.query), networkUuid: networkOf(request.query) };
      const { rows, nextCursor } = await readAlertChannels(deps, callerOf(request), query);
      return successSlice(rows.map(view), nextCursor);
    },
  });

  channels.get({
    operationId: 'getAlertChannel',
    summary: 'Get a channel with its latest delivery',
    description: 'The address and the keys are not shown.',
    answer: [AlertChannel, 'The channel.'],
    read: async (caller, uuid) => answerOf(await alertChannels.require(deps.sql, caller.networks, uuid)),
  });

  channels.post({
    operationId: 'createAlertChannel',
    summary: 'Create a channel',
    description: `Notifications of alerts that are sent from now on reach the channel, in addition to e-mails. A network has at most ${alertChannelPolicy.maxChannels} channels.`,
    body: NewChannel,
    answer: [AlertChannel, 'The created channel.'],
    errors: ['NETWORK_NOT_FOUND', 'ALERT_CHANNEL_LIMIT_REACHED'],
    create: async (by, { networkUuid, format, url, routingKey, signingSecret, ...body }) =>
      answerOf(
        await createAlertChannel(
          deps,
          by,
          networkUuid,
          format,
          { ...newDetails, ...body },
          { url, routingKey, signingSecret },
        ),
      ),
  });

  channels.patch({
    operationId: 'updateAlertChannel',
    summary: 'Update a channel',
    description: 'The address and the keys stay unless they are sent. A disabled channel receives nothing.',
    body: ChannelChange,
    answer: [AlertChannel, 'The channel after the change.'],
    change: async (by, uuid, expected, { url, routingKey, signingSecret, ...body }) =>
      answerOf(await changeAlertChannel(deps, by, uuid, expected, body, { url, routingKey, signingSecret })),
  });

  channels.delete({
    operationId: 'deleteAlertChannel',
    summary: 'Delete a channel with its address and keys',
    description: 'Notices that were not sent are dropped. Incidents of PagerDuty stay open.',
    answer: 'The channel is deleted.',
    remove: async (by, uuid, expected) => deleteAlertChannel(deps, by, uuid, expected),
  });

  operation(app, 'POST /alert-channels/:uuid/test', 'cpms:write:alerts', {
    operationId: 'testAlertChannel',
    summary: 'Send a test alert to a channel and return the outcome',
    description:
      'Sends a test now, also to a disabled channel. The formats webhook and pagerduty get its end right after it. A failure ' +
      'is no error of this request, and is not tried again.',
    params: idParams('Channel'),
    response: { 200: Envelope(TestResult, 'The outcome.'), ...cpmsErrors('ALERT_CHANNEL_NOT_FOUND') },
    handler: async (request) =>
      success(testView(await testAlertChannel(deps, actorOf(request), request.params.uuid))),
  });
}
