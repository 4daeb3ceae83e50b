import { sendSessionFacts } from '#api/services/reporting/session-facts.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { isClickHouseDown } from '#shared/clickhouse/client.ts';
import type { Logger } from '#shared/log/log.ts';

/**
 * Returns work that sends the facts of changed sessions to ClickHouse, until all are sent or the process stops: of many sessions some
 * change all the time. Any number of processes can run it; one sends at a time. An outage of ClickHouse is logged once: the next run
 * continues where this one ended.
 */
export function sessionFactSender({
  sql,
  clickhouse,
  log,
}: Pick<ApiDeps, 'sql' | 'clickhouse'> & { log: Logger }): (stopping: AbortSignal) => Promise<void> {
  let isAway = false;
  return async (stopping) => {
    try {
      let sent = 0;
      do sent = await sendSessionFacts(sql, clickhouse);
      while (sent > 0 && !stopping.aborted);
      if (isAway) log.info('ClickHouse accepts session facts again');
      isAway = false;
    } catch (error) {
      if (!isClickHouseDown(error)) throw error;
      if (!isAway)
        log.warn({ err: error }, 'ClickHouse accepts no session facts; they are kept in PostgreSQL');
      isAway = true;
    }
  };
}
