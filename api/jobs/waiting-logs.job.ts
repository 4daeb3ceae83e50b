import type { ApiDeps } from '#api/services/deps.ts';
import { isRowFault } from '#shared/clickhouse/client.ts';
import { insertLines } from '#shared/clickhouse/insert-lines.ts';
import type { Logger } from '#shared/log/log.ts';
import { takeLogRows } from '#shared/postgres/kernel/waiting-log-rows.ts';

type WaitingLogDeps = Pick<ApiDeps, 'sql' | 'clickhouse'> & { log: Logger };

/** Moves the rows of logs that wait in PostgreSQL to ClickHouse. Any number of processes can do it at once. */
export async function sendWaitingLogs(deps: WaitingLogDeps, stopping: AbortSignal): Promise<void> {
  let isMore = true;
  while (isMore && !stopping.aborted) isMore = await sendOldest(deps);
}

/** Moves the oldest rows. Returns false when none wait. */
function sendOldest({ sql, clickhouse, log }: WaitingLogDeps): Promise<boolean> {
  return sql.begin(async (transaction) => {
    const waiting = await takeLogRows(transaction);
    if (waiting === null) return false;
    const { table, columns, lines } = waiting;
    try {
      await insertLines(clickhouse, { name: table, columns }, [Buffer.from(lines)]);
    } catch (error) {
      if (!isRowFault(error)) throw error;
      log.error({ err: error, log: table }, 'rows of a log that waited in PostgreSQL were refused');
    }
    return true;
  });
}
