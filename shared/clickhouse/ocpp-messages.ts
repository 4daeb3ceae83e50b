import type { OcppVersion } from '#shared/domain/fleet/charger.ts';
import type { ClickHouse } from './client.ts';
import type { LineTable } from './insert-lines.ts';

/** As seen from the gateway. */
export const messageDirections = ['in', 'out'] as const;
export type MessageDirection = (typeof messageDirections)[number];

/** The message types of OCPP-J; `broken` is text that is no frame. */
export const messageKinds = ['call', 'result', 'error', 'broken'] as const;
export type MessageKind = (typeof messageKinds)[number];

const columns = [
  'network_id',
  'charger_id',
  'time',
  'seq',
  'direction',
  'kind',
  'action',
  'message_id',
  'error_code',
  'latency_ms',
  'ocpp_version',
  'connection_id',
  'payload',
  'truncated',
] as const;

/** A row of `ocpp_messages`, in the order of its columns. Time in ms; latency in ms, of answers. */
export type MessageRow = [
  networkId: number,
  chargerId: number,
  time: number,
  seq: number,
  direction: MessageDirection,
  kind: MessageKind,
  action: string,
  messageId: string,
  errorCode: string,
  latencyMs: number | null,
  ocppVersion: OcppVersion,
  connectionId: string,
  payload: string,
  truncated: boolean,
];

/** Target table of the rows. */
export const messageTable: LineTable = { name: 'ocpp_messages', columns };

/** Stored frame; absent text is empty. */
export interface StoredMessage {
  time: Date;
  seq: string;
  direction: MessageDirection;
  kind: MessageKind;
  action: string;
  messageId: string;
  errorCode: string;
  latencyMs: number | null;
  ocppVersion: OcppVersion;
  connectionId: string;
  payload: string;
  truncated: boolean;
}

// Another name than the column's: ClickHouse would put the text in the place of the number everywhere.
type MessageAnswer = Omit<StoredMessage, 'time' | 'seq'> & { timeMs: number; seqText: string };

/** The place of a frame in the log of its charger: what was written before it is older. */
export interface MessagePosition {
  time: Date;
  seq: string;
}

/** Filter of the frames of one charger; both times inclusive. */
export interface MessageFilter {
  from?: Date | undefined;
  to?: Date | undefined;
  action?: string | undefined;
  direction?: MessageDirection | undefined;
  /** Only what is older than this frame. */
  before?: MessagePosition | undefined;
}

/** Returns the newest `limit` frames of a charger, newest first, limited to its time in this network. */
export async function readMessages(
  client: ClickHouse,
  charger: { id: number; networkId: number },
  filter: MessageFilter,
  limit: number,
): Promise<StoredMessage[]> {
  const { from, to, action, direction, before } = filter;
  const conditions = [
    'charger_id = {chargerId:UInt32} and network_id = {networkId:UInt32}',
    ...(from === undefined ? [] : ['time >= fromUnixTimestamp64Milli({from:Int64})']),
    ...(to === undefined ? [] : ['time <= fromUnixTimestamp64Milli({to:Int64})']),
    ...(action === undefined ? [] : ['action = {action:String}']),
    ...(direction === undefined ? [] : ['direction = {direction:String}']),
    ...(before === undefined
      ? []
      : ['(time, seq) < (fromUnixTimestamp64Milli({beforeTime:Int64}), {beforeSeq:UInt64})']),
  ];
  const result = await client.query({
    // A batch that was inserted twice, because its answer was lost, is shown once.
    query: `
      select toUnixTimestamp64Milli(time) as timeMs, toString(seq) as seqText, direction, kind, action,
        message_id as messageId, error_code as errorCode, latency_ms as latencyMs, ocpp_version as ocppVersion,
        connection_id as connectionId, payload, truncated
      from ocpp_messages
      where ${conditions.join(' and ')}
      order by charger_id desc, time desc, seq desc
      limit 1 by time, seq
      limit {limit:UInt32}`,
    query_params: {
      chargerId: charger.id,
      networkId: charger.networkId,
      limit,
      from: from?.getTime(),
      to: to?.getTime(),
      action,
      direction,
      beforeTime: before?.time.getTime(),
      beforeSeq: before?.seq,
    },
    format: 'JSONEachRow',
  });
  const rows = await result.json<MessageAnswer>();
  return rows.map(({ timeMs, seqText, ...row }) => ({ time: new Date(timeMs), seq: seqText, ...row }));
}
