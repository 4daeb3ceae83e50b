import { productVersion } from '#shared/domain/kernel/version.ts';
import { readClickHouseVersion } from '#shared/clickhouse/client.ts';
import { DeadlinePassed, within } from '#shared/domain/kernel/deadline.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { sumWebhookBacklogs } from '#shared/postgres/events/webhook-health.ts';
import { countWaitingChannelNotices } from '#shared/postgres/fleet/alert-channel-notices.ts';
import { listShardReports, type ShardReport } from '#shared/postgres/fleet/shard-reports.ts';
import { readPostgresVersion } from '#shared/postgres/kernel/client.ts';
import { readJobLags } from '#shared/postgres/kernel/jobs.statements.ts';
import { listProcessReports, type ProcessReport } from '#shared/postgres/kernel/process-reports.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

export type { ProcessReport } from '#shared/postgres/kernel/process-reports.ts';

/** Time in ms after which a part of the installation counts as unavailable. */
const deadlineMs = 2000;

/** Reason why a part is missing. */
export type PartFault = 'timeout' | 'unavailable';

/** Answer of a part in time, or the reason that it is missing. */
export type Part<Value> =
  | { kind: 'known'; value: Value; tookMs: number }
  | { kind: 'missing'; fault: PartFault };

/** Work that waits: queued jobs by name, events for webhooks, notices for alert channels. */
export interface Queue {
  name: string;
  waiting: number;
  oldestSeconds: number;
}

/** Gateway process with its shards. */
export interface Gateway {
  name: string;
  version: string;
  startedAt: Date;
  reportedAt: Date;
  shards: [ShardReport, ...ShardReport[]];
}

export interface Installation {
  at: Date;
  version: string;
  nodeVersion: string;
  stores: {
    postgresql: Part<string>;
    clickhouse: Part<string>;
    /** Redis, or the bus of the process. It has no version. */
    bus: Part<null>;
  };
  gateways: Part<Gateway[]>;
  processes: Part<ProcessReport[]>;
  queues: Part<Queue[]>;
}

/**
 * Returns the state of the installation. A part that does not answer in time is missing, with the reason; the others are returned.
 * @throws {DomainError} NETWORK_NOT_ALLOWED for a caller with a restriction to networks.
 */
export async function readInstallation(deps: ServiceDeps, caller: Caller): Promise<Installation> {
  if (!caller.unrestricted) {
    throw new DomainError(
      'NETWORK_NOT_ALLOWED',
      'The state of the installation requires a caller without a restriction to networks.',
    );
  }
  const { sql, clickhouse, bus } = deps;
  const [postgresql, clickHouseVersion, busState, gateways, processes, queues] = await Promise.all([
    partOf(readPostgresVersion(sql)),
    partOf(readClickHouseVersion(clickhouse)),
    partOf(bus.ping().then(() => null)),
    partOf(listShardReports(sql).then(gatewaysOf)),
    partOf(listProcessReports(sql)),
    partOf(readQueues(deps)),
  ]);
  return {
    at: new Date(),
    version: productVersion,
    nodeVersion: process.versions.node,
    stores: { postgresql, clickhouse: clickHouseVersion, bus: busState },
    gateways,
    processes,
    queues,
  };
}

async function partOf<Value>(work: Promise<Value>): Promise<Part<Value>> {
  const startedAt = performance.now();
  try {
    const value = await within(work, deadlineMs, 'a part of the installation');
    return { kind: 'known', value, tookMs: performance.now() - startedAt };
  } catch (error) {
    return { kind: 'missing', fault: error instanceof DeadlinePassed ? 'timeout' : 'unavailable' };
  }
}

function gatewaysOf(reports: readonly ShardReport[]): Gateway[] {
  const byGateway = Map.groupBy(reports, ({ gateway }) => gateway);
  return [...byGateway].flatMap(([name, [first, ...others]]) =>
    first === undefined
      ? []
      : [
          {
            name,
            version: first.version,
            startedAt: first.startedAt,
            reportedAt: latest([first, ...others]),
            shards: [first, ...others],
          },
        ],
  );
}

const latest = (reports: readonly ShardReport[]) =>
  new Date(Math.max(...reports.map(({ reportedAt }) => reportedAt.getTime())));

async function readQueues({ sql }: ServiceDeps): Promise<Queue[]> {
  const [jobs, webhooks, notices] = await Promise.all([
    readJobLags(sql),
    sumWebhookBacklogs(sql),
    countWaitingChannelNotices(sql),
  ]);
  return [
    ...jobs.map(({ name, waiting, lagSeconds }) => ({ name, waiting, oldestSeconds: lagSeconds })),
    {
      name: 'webhooks',
      waiting: webhooks.reduce((sum, { waiting }) => sum + waiting, 0),
      oldestSeconds: Math.max(0, ...webhooks.map(({ waitingSeconds }) => waitingSeconds)),
    },
    { name: 'alert-channels', ...notices },
  ];
}
