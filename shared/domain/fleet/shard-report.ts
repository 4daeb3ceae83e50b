/** Interval of the reports of a gateway thread, in ms. */
export const reportEveryMs = 10_000;

/** Seconds without a report after which a gateway thread is silent. */
export const silentAfterSeconds = 30;

/** Figures of a gateway thread at one time. */
export interface ShardFigures {
  /** Connected chargers by OCPP version. */
  sockets: Record<string, number>;
  /** Mean rates since the report before. */
  callsPerSecond: number;
  readingsPerSecond: number;
  /** Share of the time in which the thread did work, in percent. */
  busyPercent: number;
  /** Segments of the write-ahead log that wait for a store longer than usual, and the time for which readings wait. */
  waitingSegments: number;
  walLagSeconds: number;
  /** Bytes that the write-ahead log can grow. */
  walRoomBytes: number;
  /** Seconds by which the clock of the machine is ahead of PostgreSQL's. */
  clockAheadSeconds: number;
}

/** Gateway thread, as it describes itself. */
export interface ShardIdentity {
  /** Name on the bus. */
  node: string;
  gateway: string;
  shard: number;
  version: string;
  startedAt: Date;
}
