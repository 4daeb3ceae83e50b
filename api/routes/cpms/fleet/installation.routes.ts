import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { operation } from '#api/routes/operation.ts';
import { DateTime, Decimal, Integer, Named, Nullable, OneOf, Str } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  type Gateway,
  type Installation,
  type Part,
  type ProcessReport,
  readInstallation,
} from '#api/services/fleet/installation.service.ts';

const Fault = Nullable(
  OneOf(
    ['timeout', 'unavailable'],
    'Reason why the part is missing. timeout: no answer within 2 s. Null when it answered.',
  ),
);

const Store = Type.Object(
  {
    state: OneOf(['up', 'down'], 'State of the store: up when it answered in time.'),
    fault: Fault,
    version: Nullable(Str('Version. Null for the bus, and when there was no answer.', '17.2')),
    answeredInMs: Nullable(Decimal('Time until the answer in ms. Null without an answer.', 1.5)),
  },
  { description: 'Availability of a store.' },
);

const figure = (description: string, example: number) => Decimal(description, example);

const Shard = Type.Object(
  {
    shard: Integer('Number of the thread in its gateway.', 0),
    state: OneOf(
      ['running', 'silent'],
      'silent: no report for 20 s. The thread has died, or PostgreSQL is unavailable to it. Its figures are the latest ones.',
    ),
    reportedAt: DateTime('Time of the latest report. A shard reports every 5 s.'),
    sockets: Type.Record(Type.String(), Type.Integer(), {
      description: 'Connected chargers by OCPP version.',
      examples: [{ '1.6': 120, '2.0.1': 40 }],
    }),
    callsPerSecond: figure('Calls of chargers per second, between the latest two reports.', 12.4),
    readingsPerSecond: figure('Meter readings per second that were written to the write-ahead log.', 80),
    busyPercent: figure('Share of the time in which the thread did work, in percent.', 7.5),
    waitingSegments: figure('Segments of the write-ahead log that wait for a store longer than usual.', 0),
    walLagSeconds: figure(
      'Time in seconds for which readings wait for a store. 0: not longer than usual.',
      0,
    ),
    walRoomBytes: figure(
      'Bytes that the write-ahead log can grow. At 0 readings are refused.',
      50_000_000_000,
    ),
    clockAheadSeconds: figure("Seconds by which the machine's clock is ahead of PostgreSQL's.", 0.01),
  },
  { description: 'Thread of a gateway.' },
);

const GatewayView = Type.Object(
  {
    name: Str('Machine and process id.', 'gateway-0/1'),
    version: Str('Version of the product.', '0.1.0'),
    startedAt: DateTime('Time of the start.'),
    reportedAt: DateTime('Time of the latest report of a shard.'),
    shards: Type.Array(Shard, { description: 'Shards of the gateway, by number.' }),
  },
  { description: 'Process of a gateway.' },
);

const ProcessView = Type.Object(
  {
    name: Str('Machine and process id.', 'api-0/1'),
    state: OneOf(
      ['running', 'silent'],
      'silent: no report for 150 s. The process has died, or PostgreSQL is unavailable to it.',
    ),
    version: Str('Version of the product.', '0.1.0'),
    nodeVersion: Str('Version of Node.js.', '22.11.0'),
    startedAt: DateTime('Time of the start.'),
    reportedAt: DateTime('Time of the latest report. A process reports every minute.'),
  },
  { description: 'Process of the API.' },
);

const QueueView = Type.Object(
  {
    name: Str('Name of a background job, `webhooks` or `alert-channels`.', 'send-mail'),
    waiting: Integer('Number of entries that are due.', 3),
    oldestSeconds: figure('Time in seconds for which the oldest entry waits. 0 without one.', 4.2),
  },
  { description: 'Work that waits.' },
);

const InstallationView = Named('Installation', {
  at: DateTime('Time of the answer.'),
  version: Str('Version of the API process that answered.', '0.1.0'),
  nodeVersion: Str('Version of Node.js of this process.', '22.11.0'),
  stores: Type.Object(
    { postgresql: Store, clickhouse: Store, bus: Store },
    { description: 'Stores, and the bus between API and gateways.' },
  ),
  gateways: Nullable(
    Type.Array(GatewayView, {
      description:
        'Gateways, by name. A gateway that stopped in order is not listed; one that died is, for an hour.',
    }),
  ),
  gatewaysFault: Fault,
  processes: Nullable(
    Type.Array(ProcessView, {
      description:
        'API processes, by name. A process that stopped in order is not listed; one that died is, for an hour.',
    }),
  ),
  processesFault: Fault,
  queues: Nullable(
    Type.Array(QueueView, { description: 'Queues. Background jobs without work are not listed.' }),
  ),
  queuesFault: Fault,
});

const storeView = (part: Part<string | null>): Static<typeof Store> =>
  part.kind === 'known'
    ? { state: 'up', fault: null, version: part.value, answeredInMs: part.tookMs }
    : { state: 'down', fault: part.fault, version: null, answeredInMs: null };

const valueOf = <Value>(part: Part<Value>): Value | null => (part.kind === 'known' ? part.value : null);
const faultOf = (part: Part<unknown>) => (part.kind === 'known' ? null : part.fault);

const gatewayView = ({
  name,
  version,
  startedAt,
  reportedAt,
  shards,
}: Gateway): Static<typeof GatewayView> => ({
  name,
  version,
  startedAt: startedAt.toISOString(),
  reportedAt: reportedAt.toISOString(),
  shards: shards.map(({ shard, isSilent, reportedAt: at, figures }) => ({
    shard,
    state: isSilent ? ('silent' as const) : ('running' as const),
    reportedAt: at.toISOString(),
    ...figures,
  })),
});

const processView = ({
  name,
  isSilent,
  version,
  nodeVersion,
  startedAt,
  reportedAt,
}: ProcessReport): Static<typeof ProcessView> => ({
  name,
  state: isSilent ? 'silent' : 'running',
  version,
  nodeVersion,
  startedAt: startedAt.toISOString(),
  reportedAt: reportedAt.toISOString(),
});

function view({
  at,
  version,
  nodeVersion,
  stores,
  gateways,
  processes,
  queues,
}: Installation): Static<typeof InstallationView> {
  return {
    at: at.toISOString(),
    version,
    nodeVersion,
    stores: {
      postgresql: storeView(stores.postgresql),
      clickhouse: storeView(stores.clickhouse),
      bus: storeView(stores.bus),
    },
    gateways: valueOf(gateways)?.map(gatewayView) ?? null,
    gatewaysFault: faultOf(gateways),
    processes: valueOf(processes)?.map(processView) ?? null,
    processesFault: faultOf(processes),
    queues: valueOf(queues),
    queuesFault: faultOf(queues),
  };
}

/** Registers the route of the state of the installation. */
export function installationRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /installation', 'cpms:read:networks', {
    operationId: 'getInstallation',
    summary: 'Get the state of the installation',
    description:
      'Gateways with their shards, sockets, rates and write-ahead logs, API processes, queues, stores and versions. Requires a caller without a ' +
      'restriction to networks. A part that does not answer within 2 s is null, with the reason.',
    response: {
      200: Envelope(InstallationView, 'The state of the installation.'),
      ...cpmsErrors('NETWORK_NOT_ALLOWED'),
    },
    handler: async (request) => success(view(await readInstallation(deps, callerOf(request)))),
  });
}
