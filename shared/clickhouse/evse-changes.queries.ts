import type { Interval } from '#shared/domain/kernel/intervals.ts';
import type { EvseChange } from '#shared/domain/reporting/availability/evse-intervals.ts';
import { type ReportedStatus, reportedStatuses, statusByReport } from '#shared/domain/fleet/ocpi-evse.ts';
import type { ClickHouse } from './client.ts';
import { analyticsSettings, within } from './slots.ts';

/** Chargers whose history is read, of one network. */
interface ChangeFilter {
  networkId: number;
  chargerIds: readonly number[];
}

/** History of a charger. */
export interface ChargerChanges {
  chargerId: number;
  /** Returns the changes of an EVSE, its station and socket, in order of time. */
  changesOf(evse: number): EvseChange[];
}

type ChangeRow = [
  chargerId: number,
  at: string,
  kind: 'status' | 'connected' | 'disconnected',
  evse: number,
  connector: number,
  status: number,
  connection: number,
];

/** Age of the reports before a window that show the states at its beginning. */
const lookBackMs = 366 * 24 * 60 * 60_000;

const codeOf = (status: ReportedStatus) => reportedStatuses.indexOf(status);

/** Returns the index in `reportedStatuses` of a reported status. */
const statusCode = (status: string) =>
  `toUInt8(transform(lower(${status}), [${Object.keys(statusByReport)
    .map((report) => `'${report}'`)
    .join()}], [${Object.values(statusByReport).map(codeOf).join()}], ${codeOf('UNKNOWN')}))`;

/** Socket events before a window that show whether a socket was open at its beginning. */
const earlierSockets = 20;

/** Maximum number of chargers of a statement. */
const chargersPerStatement = 5000;

/**
 * Reads the history of chargers in a window, charger by charger: the latest report of each connector and the latest sockets of the
 * year before it, then all changes. A close of an earlier socket than the newest changes nothing.
 */
export async function* readEvseChanges(
  client: ClickHouse,
  { networkId, chargerIds }: ChangeFilter,
  window: Interval,
): AsyncGenerator<ChargerChanges, void, undefined> {
  const ordered = chargerIds.toSorted((one, other) => one - other);
  for (let start = 0; start < ordered.length; start += chargersPerStatement) {
    const some = ordered.slice(start, start + chargersPerStatement);
    yield* readSomeChanges(client, { networkId, chargerIds: some }, window);
  }
}

async function* readSomeChanges(
  client: ClickHouse,
  { networkId, chargerIds }: ChangeFilter,
  window: Interval,
): AsyncGenerator<ChargerChanges, void, undefined> {
  const ofChargers = `charger_id in (${chargerIds.join()}) and network_id = ${networkId}`;
  const before = within('time', [{ from: window.from - lookBackMs, to: window.from }]);
  const columns = `charger_id, toUnixTimestamp64Milli(time) as t, kind, evse, connector, ${statusCode('status')} as code,
    toUInt32(sipHash64(connection_id) % 4294967296) as connection, digest as o`;
  const result = await client.query({
    query: `
      select charger_id, t, kind, evse, connector, code, connection from (
        select ${columns} from status_events where ${ofChargers} and ${within('time', [window])}
        union all select charger_id, toUnixTimestamp64Milli(max(time)), any(kind), evse, connector,
          ${statusCode('argMax(status, (time, digest))')}, toUInt32(0), argMax(digest, (time, digest))
        from status_events where ${ofChargers} and kind = 'status' and ${before}
        group by charger_id, evse, connector
        union all select * from (
          select ${columns} from status_events where ${ofChargers} and kind != 'status' and ${before}
          order by time desc, digest desc limit ${earlierSockets} by charger_id
        )
      )
      order by charger_id, t, o`,
    format: 'JSONCompactEachRow',
    clickhouse_settings: analyticsSettings,
  });
  let charger: ChangesOfCharger | null = null;
  for await (const rows of result.stream<ChangeRow>()) {
    for (const row of rows) {
      const change = row.json();
      if (charger === null || charger.chargerId !== change[0]) {
        if (charger !== null) yield charger;
        charger = new ChangesOfCharger(change[0]);
      }
      charger.add(change);
    }
  }
  if (charger !== null) yield charger;
}

/** Changes of one charger while they are read. */
class ChangesOfCharger implements ChargerChanges {
  readonly chargerId: number;
  readonly #changes: { evse: number; change: EvseChange }[] = [];
  #newestSocket: number | null = null;

  constructor(chargerId: number) {
    this.chargerId = chargerId;
  }

  add([, time, kind, evse, connector, code, connection]: ChangeRow): void {
    const at = Number(time);
    if (kind === 'status') {
      const status = reportedStatuses[code] ?? 'UNKNOWN';
      const position = evse > 0 ? Math.max(connector, 1) : connector;
      this.#changes.push({ evse, change: { kind, at, connector: position, status } });
      return;
    }
    if (kind === 'connected') this.#newestSocket = connection;
    else if (this.#newestSocket !== null && this.#newestSocket !== connection) return;
    this.#changes.push({ evse: 0, change: { kind: 'socket', at, isConnected: kind === 'connected' } });
  }

  changesOf(evse: number): EvseChange[] {
    return this.#changes.filter((one) => one.evse === 0 || one.evse === evse).map(({ change }) => change);
  }
}
