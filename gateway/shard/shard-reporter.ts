import { hostname } from 'node:os';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { productVersion } from '#shared/domain/kernel/version.ts';
import { reportEveryMs, type ShardIdentity } from '#shared/domain/fleet/shard-report.ts';
import type { Clock, Timer } from '#shared/domain/kernel/system-clock.ts';
import type { OutageLog } from '#shared/log/outage-log.ts';
import { removeShardReport, reportShard } from '#shared/postgres/fleet/shard-reports.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import type { ShardState } from './shard-metrics.ts';

interface ReporterOptions {
  sql: Sql;
  /** Name of the shard on the bus. */
  node: string;
  shard: number;
  state: ShardState;
  /** Numbers of calls and readings since the start. */
  counted: Readonly<{ calls: number; readings: number }>;
  clock: Clock;
  outages: OutageLog;
}

/** Writes the figures of a shard for the state of the installation. Nothing depends on them. */
export class ShardReporter {
  readonly #options: ReporterOptions;
  readonly #identity: ShardIdentity;
  readonly #timer: Timer;
  #before: { calls: number; readings: number; at: number; loop: EventLoopUtilization };
  #reporting: Promise<void> | null = null;

  constructor(options: ReporterOptions) {
    this.#options = options;
    const { node, shard, clock } = options;
    this.#identity = {
      node,
      gateway: `${hostname()}/${process.pid}`,
      shard,
      version: productVersion,
      startedAt: new Date(clock.now()),
    };
    this.#before = this.#now();
    this.#timer = clock.every(reportEveryMs, () => this.#start());
    this.#start();
  }

  /** Ends the reports, and removes the latest one. */
  async close(): Promise<void> {
    this.#timer.cancel();
    await this.#reporting;
    // A report that stays is removed an hour later.
    await removeShardReport(this.#options.sql, this.#identity.node).catch(() => undefined);
  }

  /** While PostgreSQL does not answer, one report waits. */
  #start(): void {
    this.#reporting ??= this.#report().finally(() => (this.#reporting = null));
  }

  async #report(): Promise<void> {
    const { sql, state, outages } = this.#options;
    try {
      const [before, now] = [this.#before, this.#now()];
      this.#before = now;
      const seconds = Math.max(0.001, (now.at - before.at) / 1000);
      const busy = performance.eventLoopUtilization(now.loop, before.loop).utilization;
      await reportShard(sql, this.#identity, {
        sockets: state.connections(),
        callsPerSecond: (now.calls - before.calls) / seconds,
        readingsPerSecond: (now.readings - before.readings) / seconds,
        busyPercent: Number.isFinite(busy) ? busy * 100 : 0,
        waitingSegments: state.waitingSegments(),
        walLagSeconds: state.walLag(),
        walRoomBytes: await state.walRoom(),
        clockAheadSeconds: state.clockAhead(),
      });
    } catch (error) {
      outages.failed(error);
    }
  }

  #now() {
    const { counted, clock } = this.#options;
    return { ...counted, at: clock.steady(), loop: performance.eventLoopUtilization() };
  }
}
