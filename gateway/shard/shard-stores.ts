import { recordStatuses, type StatusRecord } from '#shared/postgres/charging/connector-statuses.ts';
import type { ReceivedReport } from '#shared/domain/commands/charger-reports.ts';
import type { Clock } from '#shared/domain/kernel/system-clock.ts';
import type { Logger } from '#shared/log/log.ts';
import { type BootRecord, recordBoots } from '#shared/postgres/fleet/charger-state.statements.ts';
import { recordReports } from '#shared/postgres/commands/charger-reports.statements.ts';
import { isPostgresDown, type Sql } from '#shared/postgres/kernel/client.ts';
import { type LiveRecord, updateLiveValues } from '#shared/postgres/charging/session-writes/live-values.ts';
import type { ConnectionJournal } from '#gateway/connections/connection-journal.ts';
import type { CertificateIssuer } from '#gateway/certificates/issuer.ts';
import type { Stores } from '#gateway/handlers/context.ts';
import { Batcher } from '#gateway/ingest/batcher.ts';
import { Coalescer } from '#gateway/ingest/coalescer.ts';
import type { MeterOverrides } from '#gateway/ingest/meter-overrides.ts';
import type { LiveWatches } from '#gateway/ingest/live-watches.ts';
import { MeterWriter } from '#gateway/ingest/meter-writer.ts';
import type { ShardLogs } from '#gateway/ingest/shard-logs.ts';
import { SignedValueWriter } from '#gateway/ingest/signed-value-writer.ts';
import { StatusWriter } from '#gateway/ingest/status-writer.ts';
import type { WriteAheadLog } from '#gateway/wal/write-ahead-log.ts';
import { storeDeadlineMs } from '#gateway/ingest/store-deadline.ts';

const liveEveryMs = 2000;

/** Batch delay of boots and statuses in ms: chargers do not notice it, and 20,000 of them share few statements. */
const stateDelayMs = 20;

/** Opens the stores that the handlers of a shard write to; `drain` completes their writes before the shard ends. */
export function openShardStores(options: {
  sql: Sql;
  wal: WriteAheadLog;
  history: ShardLogs['history'];
  /** Journal of the sockets that boots come through. */
  journal: Pick<ConnectionJournal, 'storeOpened'>;
  certificates: CertificateIssuer;
  watches: LiveWatches;
  meterOverrides: MeterOverrides;
  roaming: Stores['roaming'];
  contracts: Stores['contracts'];
  log: Logger;
  clock: Clock;
}): Stores & { drain(): Promise<void> } {
  const { sql, wal, history, journal, certificates, meterOverrides, watches, log, clock } = options;
  const batching = {
    isStoreFailure: isPostgresDown,
    senderOf: ({ chargerId }: { chargerId: number }) => chargerId,
    maxDelayMs: stateDelayMs,
    maxItems: 500,
    concurrency: 1,
    deadlineMs: storeDeadlineMs,
  };
  const writeBoots = (items: BootRecord[]) =>
    journal.storeOpened(new Set(items.map(({ chargerId }) => chargerId)), (sockets) =>
      recordBoots(sql, items, sockets),
    );
  const boots = new Batcher<BootRecord>({ ...batching, write: writeBoots }, clock);
  const writeStatuses = (items: StatusRecord[]) => recordStatuses(sql, items);
  const newest = new Batcher<StatusRecord>({ ...batching, write: writeStatuses }, clock);
  const statuses = new StatusWriter(newest, history, (id, notice) => watches.status(id, notice), clock);
  // Parts of a device model are large, so a batch has fewer.
  const writeReports = (items: ReceivedReport[]) => recordReports(sql, items);
  const reports = new Batcher<ReceivedReport>({ ...batching, maxItems: 100, write: writeReports }, clock);
  const live = new Coalescer<string, LiveRecord>({
    name: 'live values',
    everyMs: liveEveryMs,
    deadlineMs: storeDeadlineMs,
    write: (values) => updateLiveValues(sql, [...values.values()]),
    log,
    clock,
  });
  const energyOf = (sessionId: string) => live.get(sessionId)?.energyWh ?? null;
  const meter = new MeterWriter(wal, (origin, samples) => watches.readings(origin, samples, energyOf));
  return {
    sql,
    meter,
    signed: new SignedValueWriter(sql, log),
    meterOverrides,
    boots,
    statuses,
    reports,
    certificates,
    roaming: options.roaming,
    contracts: options.contracts,
    live,
    watches,
    async drain() {
      await Promise.all([boots.drain(), statuses.drain(), reports.drain(), certificates.drain()]);
      await live.close();
    },
  };
}
