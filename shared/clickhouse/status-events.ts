import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { ClickHouse } from './client.ts';
import type { LineTable } from './insert-lines.ts';

/** A state that was reported, or the opening or the end of a charger's socket. */
export const statusEventKinds = ['status', 'connected', 'disconnected'] as const;
export type StatusEventKind = (typeof statusEventKinds)[number];

const columns = [
  'network_id',
  'charger_id',
  'time',
  'received_at',
  'kind',
  'evse',
  'connector',
  'status',
  'error_code',
  'vendor_error_code',
  'info',
  'connection_id',
] as const;

/** A row of `status_events`, in the order of its columns; times in ms. */
export type StatusEventRow = [
  networkId: number,
  chargerId: number,
  time: number,
  receivedAt: number,
  kind: StatusEventKind,
  evse: number,
  connector: number,
  status: string,
  errorCode: string,
  vendorErrorCode: string,
  info: string,
  connectionId: string,
];

/** The connection of an event without a socket. */
const noConnection = '00000000-0000-0000-0000-000000000000';

/** Charger of an event. */
export interface StatusEventOrigin {
  id: number;
  networkId: number;
}

/** The row of a state that was reported; `position` null: of the charger as a whole. Times in ms. */
export function statusRow(
  charger: StatusEventOrigin,
  event: {
    position: ConnectorPosition | null;
    status: string;
    errorCode: string | null;
    vendorErrorCode: string | null;
    info: string | null;
    at: Date;
  },
  receivedAt: number,
): StatusEventRow {
  const { position, status, errorCode, vendorErrorCode, info, at } = event;
  return [
    charger.networkId,
    charger.id,
    at.getTime(),
    receivedAt,
    'status',
    position?.evse ?? 0,
    position?.connector ?? 0,
    status,
    errorCode ?? '',
    vendorErrorCode ?? '',
    info ?? '',
    noConnection,
  ];
}

/** Returns the row of an opened or closed socket, at `time` (ms). */
export function socketRow(
  charger: StatusEventOrigin,
  kind: 'connected' | 'disconnected',
  time: number,
  socket: { connectionId: string; info?: string },
): StatusEventRow {
  const { connectionId, info = '' } = socket;
  return [charger.networkId, charger.id, time, Date.now(), kind, 0, 0, '', '', '', info, connectionId];
}

/** Target table of the rows. */
export const statusEventTable = { name: 'status_events', columns } satisfies LineTable;

/** Stored event; absent text is empty. */
export interface StoredStatusEvent {
  time: Date;
  receivedAt: Date;
  digest: string;
  kind: StatusEventKind;
  evse: number;
  connector: number;
  status: string;
  errorCode: string;
  vendorErrorCode: string;
  info: string;
  /** Null for an event without a socket. */
  connectionId: string | null;
}

/** The place of an event in the history of its charger. */
interface StatusEventPosition {
  time: Date;
  digest: string;
}

// Other names than the columns': ClickHouse would put the text in the place of the number everywhere.
type EventRow = Omit<StoredStatusEvent, 'time' | 'receivedAt' | 'digest'> & {
  timeMs: number;
  receivedAtMs: number;
  digestText: string;
};

/**
 * The newest `limit` events of a charger, newest first, repeats collapsed; both times inclusive, `before` exclusive.
 * Only what happened while it was in this network.
 */
export async function readStatusEvents(
  client: ClickHouse,
  charger: StatusEventOrigin,
  filter: { from?: Date | undefined; to?: Date | undefined; before?: StatusEventPosition | undefined },
  limit: number,
): Promise<StoredStatusEvent[]> {
  const { from, to, before } = filter;
  const conditions = [
    'charger_id = {chargerId:UInt32} and network_id = {networkId:UInt32}',
    ...(from === undefined ? [] : ['time >= fromUnixTimestamp64Milli({from:Int64})']),
    ...(to === undefined ? [] : ['time <= fromUnixTimestamp64Milli({to:Int64})']),
    ...(before === undefined
      ? []
      : ['(time, digest) < (fromUnixTimestamp64Milli({beforeTime:Int64}), {beforeDigest:UInt64})']),
  ];
  const result = await client.query({
    query: `
      select toUnixTimestamp64Milli(time) as timeMs, toUnixTimestamp64Milli(received_at) as receivedAtMs,
        toString(digest) as digestText, kind, evse, connector, status, error_code as errorCode,
        vendor_error_code as vendorErrorCode, info,
        if(connection_id = {noConnection:UUID}, null, connection_id) as connectionId
      from status_events final
      where ${conditions.join(' and ')}
      order by charger_id desc, time desc, digest desc
      limit {limit:UInt32}`,
    query_params: {
      chargerId: charger.id,
      networkId: charger.networkId,
      limit,
      noConnection,
      from: from?.getTime(),
      to: to?.getTime(),
      beforeTime: before?.time.getTime(),
      beforeDigest: before?.digest,
    },
    format: 'JSONEachRow',
  });
  const rows = await result.json<EventRow>();
  return rows.map(({ timeMs, receivedAtMs, digestText, ...row }) => ({
    time: new Date(timeMs),
    receivedAt: new Date(receivedAtMs),
    digest: digestText,
    ...row,
  }));
}
