import { type ClickHouse, isRowFault } from '#shared/clickhouse/client.ts';
import { insertLines, type LineTable } from '#shared/clickhouse/insert-lines.ts';
import { type MessageRow, messageTable } from '#shared/clickhouse/ocpp-messages.ts';
import { statusEventTable, type StatusEventRow } from '#shared/clickhouse/status-events.ts';
import type { Logger } from '#shared/log/log.ts';
import { LogWriter } from '#shared/log/log-writer.ts';
import { MessageLog } from './message-log.ts';

/** The logs of a shard, by the names that its metrics have for them. */
export type LogName = 'messages' | 'status-events';

/** What is told of rows of a log, for metrics. */
export type LogObserver = (log: LogName, rows: number, outcome: 'stored' | 'dropped') => void;

/** What a shard logs to ClickHouse beside its way of the messages. */
export interface ShardLogs {
  messages: MessageLog;
  history: LogWriter<StatusEventRow>;
  /** Writes what waits and takes no more. */
  close(): Promise<void>;
}

/** What the message log may hold: ten seconds of a very busy shard, minutes of a usual one. */
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
    // One insert a second and shard while the load is small: ClickHouse wants few, large parts.
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
