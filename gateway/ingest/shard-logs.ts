import { type ClickHouse, isRowFault } from '#shared/clickhouse/client.ts';
import { insertMessageRows, type MessageRow } from '#shared/clickhouse/ocpp-messages.ts';
import { insertStatusEventRows, type StatusEventRow } from '#shared/clickhouse/status-events.ts';
import type { Logger } from '#shared/log/log.ts';
import { LogWriter } from '#shared/log/log-writer.ts';
import { MessageLog, messageSize } from './message-log.ts';

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

/** Characters that the message log may hold: ten seconds of a very busy shard, minutes of a usual one. */
const mostMessageText = 32 * 1024 * 1024;

const statusEventSize = 200;

/** Opens the message log and the status history of a shard. */
export function openShardLogs(options: {
  clickhouse: ClickHouse;
  log: Logger;
  observe: LogObserver;
}): ShardLogs {
  const { clickhouse, log, observe } = options;
  const about = (name: LogName) => ({
    name,
    isRowFault,
    // One insert a second and shard while the load is small: ClickHouse wants few, large parts.
    everyMs: 1000,
    // 6 ms of encoding.
    rowsPerInsert: 2000,
    stored: (rows: number) => observe(name, rows, 'stored'),
    dropped: (rows: number) => observe(name, rows, 'dropped'),
    log,
  });
  const messages = new LogWriter<MessageRow>({
    ...about('messages'),
    write: (rows) => insertMessageRows(clickhouse, rows),
    sizeOf: messageSize,
    mostSize: mostMessageText,
  });
  const history = new LogWriter<StatusEventRow>({
    ...about('status-events'),
    write: (rows) => insertStatusEventRows(clickhouse, rows),
    sizeOf: () => statusEventSize,
    mostSize: 100_000 * statusEventSize,
  });
  return {
    messages: new MessageLog(messages),
    history,
    async close() {
      await Promise.all([messages.close(), history.close()]);
    },
  };
}
