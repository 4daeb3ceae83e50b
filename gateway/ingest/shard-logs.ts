import { type ClickHouse, isRowFault } from '#shared/clickhouse/client.ts';
import { insertLines, type LineTable } from '#shared/clickhouse/insert-lines.ts';
import { type MessageRow, messageTable } from '#shared/clickhouse/ocpp-messages.ts';
import { statusEventTable, type StatusEventRow } from '#shared/clickhouse/status-events.ts';
import type { Logger } from '#shared/log/log.ts';
import { LogWriter } from '#shared/log/log-writer.ts';
import { MessageLog } from './message-log.ts';

/** Logs of a shard, by their names in metrics. */
export type LogName = 'messages' | 'status-events';

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
}): ShardLogs {
  const { clickhouse, log, observe } = options;
  const about = (name: LogName, table: LineTable) => ({
    name,
    write: (chunks: readonly Uint8Array[]) => insertLines(clickhouse, table, chunks),
    isRowFault,
    // One insert per second and shard under small load: ClickHouse needs few, large parts.
    everyMs: 1000,
    rowsPerInsert: 10_000,
    stored: (rows: number) => observe(name, rows, 'stored'),
    dropped: (rows: number) => observe(name, rows, 'dropped'),
    log,
  });
  const messages = new LogWriter<MessageRow>({
    ...about('messages', messageTable),
    maxBytes: maxMessageBytes,
  });
  const history = new LogWriter<StatusEventRow>({
    ...about('status-events', statusEventTable),
    maxBytes: maxStatusEventBytes,
  });
  return {
    messages: new MessageLog(messages),
    history,
    async close() {
      await Promise.all([messages.close(), history.close()]);
    },
  };
}
