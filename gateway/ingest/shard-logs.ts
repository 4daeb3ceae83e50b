import { type ClickHouse, isRowFault } from '#shared/clickhouse/client.ts';
import { insertBinary, insertLines } from '#shared/clickhouse/insert-lines.ts';
import { messageTable } from '#shared/clickhouse/ocpp-message-rows.ts';
import { BinaryRows } from '#shared/clickhouse/row-binary.ts';
import { statusEventTable, type StatusEventRow } from '#shared/clickhouse/status-events.ts';
import type { Clock } from '#shared/domain/kernel/system-clock.ts';
import { BlockWriter } from '#shared/log/block-writer.ts';
import type { Logger } from '#shared/log/log.ts';
import { LogWriter } from '#shared/log/log-writer.ts';
import { MessageLog } from './message-log.ts';
import type { MessageTail } from './message-tail.ts';

/** Logs of a shard, by their names in metrics. */
type LogName = 'messages' | 'status-events';

/** Observer of stored and dropped rows, for metrics. */
export type LogObserver = (log: LogName, rows: number, outcome: 'stored' | 'dropped') => void;

/** Logs that a shard writes to ClickHouse outside the message pipeline. */
export interface ShardLogs {
  messages: MessageLog;
  history: LogWriter<StatusEventRow>;
  /** Writes the waiting rows and accepts no more. */
  close(): Promise<void>;
}

/** Maximum size of the waiting message log: ten seconds of a very busy shard, minutes of a usual one. */
const maxMessageBytes = 32 * 1024 * 1024;

const maxStatusEventBytes = 16 * 1024 * 1024;

/** Opens the message log and the status history of a shard. */
export function openShardLogs(options: {
  clickhouse: ClickHouse;
  log: Logger;
  observe: LogObserver;
  tail: MessageTail;
  clock: Clock;
}): ShardLogs {
  const { clickhouse, log, observe, tail, clock } = options;
  const about = (name: LogName) => ({
    name,
    isRowFault,
    // ClickHouse needs few, large parts.
    everyMs: 2000,
    rowsPerInsert: 10_000,
    stored: (rows: number) => observe(name, rows, 'stored'),
    dropped: (rows: number) => observe(name, rows, 'dropped'),
    log,
  });
  const messages = new BlockWriter(
    {
      ...about('messages'),
      maxBytes: maxMessageBytes,
      write: (chunks) => insertBinary(clickhouse, messageTable, chunks),
    },
    () => new BinaryRows(),
  );
  const history = new LogWriter<StatusEventRow>({
    ...about('status-events'),
    maxBytes: maxStatusEventBytes,
    write: (chunks) => insertLines(clickhouse, statusEventTable, chunks),
  });
  return {
    messages: new MessageLog(messages, tail, clock),
    history,
    async close() {
      await Promise.all([messages.close(), history.close()]);
    },
  };
}
