import type { ClickHouse } from './client.ts';
import type { StatusEventKind, StatusEventOrigin } from './status-events.ts';

/** Event of a charger, as charts of its states need it. */
export interface StatusChange {
  /** In ms since 1970. */
  at: number;
  kind: StatusEventKind;
  evse: number;
  connector: number;
  status: string;
  /** Empty: none. */
  errorCode: string;
  connectionId: string;
}

type ChangeRow = [number, StatusEventKind, number, number, string, string, string];

/** More events of one range are not read: one in three minutes of a year. */
const maxChanges = 200_000;

/** Socket events before a range that show whether a socket was open at its beginning. */
const earlierSockets = 20;

/**
 * Returns the events of a charger in a range (ms), after those before it that show its state at the beginning: the last status of each
 * connector and the last events of sockets. In order of time, repeats collapsed.
 */
export async function readStatusChanges(
  client: ClickHouse,
  charger: StatusEventOrigin,
  range: { from: number; to: number },
): Promise<StatusChange[]> {
  const ofCharger = 'charger_id = {chargerId:UInt32} and network_id = {networkId:UInt32}';
  const from = 'fromUnixTimestamp64Milli({from:Int64})';
  const columns = 'time, digest, kind, evse, connector, status, error_code, connection_id';
  const result = await client.query({
    query: `
      select toUnixTimestamp64Milli(time), kind, evse, connector, status, error_code, connection_id
      from (
        select ${columns} from status_events where ${ofCharger} and kind = 'status' and time < ${from}
        order by time desc, digest desc limit 1 by evse, connector
        union all
        select ${columns} from status_events final where ${ofCharger} and kind != 'status' and time < ${from}
        order by time desc, digest desc limit ${earlierSockets}
        union all
        select ${columns} from status_events final
        where ${ofCharger} and time >= ${from} and time < fromUnixTimestamp64Milli({to:Int64})
        order by time, digest limit ${maxChanges}
      )
      order by time, digest`,
    query_params: { chargerId: charger.id, networkId: charger.networkId, ...range },
    clickhouse_settings: { max_threads: 1, do_not_merge_across_partitions_select_final: 1 },
    format: 'JSONCompactEachRow',
  });
  return (await result.json<ChangeRow>()).map(
    ([at, kind, evse, connector, status, errorCode, connectionId]) => ({
      at,
      kind,
      evse,
      connector,
      status,
      errorCode,
      connectionId,
    }),
  );
}
