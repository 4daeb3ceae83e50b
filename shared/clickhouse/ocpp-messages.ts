import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { ClickHouse } from './client.ts';

/** As seen from the gateway. */
export const messageDirections = ['in', 'out'] as const;
export type MessageDirection = (typeof messageDirections)[number];

/** The message types of OCPP-J; `broken` is text that is no frame. */
export const messageKinds = ['call', 'result', 'error', 'broken'] as const;
export type MessageKind = (typeof messageKinds)[number];

/** Maximum time from a call to its answer in one row; the reader looks no further for answers. */
export const longestExchangeMs = 60_000;

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

type FrameAnswer = Omit<StoredMessage, 'time' | 'seq'> & { timeMs: number; seqText: string };

/** The place of a frame in the log of its charger: what was written before it is older. */
interface MessagePosition {
  time: Date;
  seq: string;
}

/** Filter of the frames of one charger; both times inclusive. */
export interface MessageFilter {
  from?: Date | undefined;
  to?: Date | undefined;
  action?: string | undefined;
  direction?: MessageDirection | undefined;
  /** Direction of the call: that of an answer is the opposite. */
  callDirection?: MessageDirection | undefined;
  /** Only calls with an error as answer, errors by themselves, and broken frames. */
  errorsOnly?: boolean | undefined;
  messageId?: string | undefined;
  /** Text in a frame or in its answer, in any case. */
  search?: string | undefined;
  /** Only what is older than this frame. */
  before?: MessagePosition | undefined;
}

const fromTime = 'fromUnixTimestamp64Milli({from:Int64})';
const toTime = 'fromUnixTimestamp64Milli({to:Int64})';
const beforeTime = 'fromUnixTimestamp64Milli({beforeTime:Int64})';

/** Returns the condition on a frame, whose columns have these names. */
function frameCondition(filter: MessageFilter, time: string, seq: string, direction: string): string {
  return [
    'true',
    ...(filter.from === undefined ? [] : [`${time} >= ${fromTime}`]),
    ...(filter.to === undefined ? [] : [`${time} <= ${toTime}`]),
    ...(filter.direction === undefined ? [] : [`${direction} = {direction:String}`]),
    ...(filter.before === undefined ? [] : [`(${time}, ${seq}) < (${beforeTime}, {beforeSeq:UInt64})`]),
  ].join(' and ');
}

/** Returns the condition on the key of rows, which begins with charger and time: it holds for every row with such a frame. */
function rowCondition(filter: MessageFilter): string {
  const { from, to, action, callDirection, before, errorsOnly, messageId, search } = filter;
  return [
    'charger_id = {chargerId:UInt32} and network_id = {networkId:UInt32}',
    ...(from === undefined ? [] : [`time >= ${fromTime} - toIntervalMillisecond(${longestExchangeMs})`]),
    ...(to === undefined ? [] : [`time <= ${toTime}`]),
    ...(before === undefined ? [] : [`time <= ${beforeTime}`]),
    ...(action === undefined ? [] : ['action = {action:String}']),
    ...(callDirection === undefined ? [] : [`${callDirectionOfRow} = {callDirection:String}`]),
    ...(messageId === undefined ? [] : ['message_id = {messageId:String}']),
    ...(errorsOnly === true ? [isErrorRow] : []),
    ...(search === undefined
      ? []
      : [
          '(positionCaseInsensitiveUTF8(payload, {search:String}) > 0 or positionCaseInsensitiveUTF8(answer_payload, {search:String}) > 0)',
        ]),
  ].join(' and ');
}

/** Condition that the answer of a row is an error, or that its frame is one or is broken. */
const isErrorRow = "(answer_kind = 'error' or kind in ('error', 'broken'))";

const oppositeDirection = "if(direction = 'in', 'out', 'in')";

/** A row begins with its call; an answer whose call is unknown is a row by itself. */
const callDirectionOfRow = `if(kind in ('result', 'error'), ${oppositeDirection}, toString(direction))`;

/**
 * Returns the newest `limit` frames of a charger, newest first, limited to its time in this network.
 *
 * A row holds one frame or two, and is stored by the time of the first. The newest `limit` rows with a frame that
 * matches hold at least `limit` such frames, none older than the oldest of these rows. So no other frame of the page is
 * in a row that begins more than the longest exchange before it. A batch that was inserted twice, because its answer was
 * lost, is shown once.
 */
export async function readMessages(
  client: ClickHouse,
  charger: { id: number; networkId: number },
  filter: MessageFilter,
  limit: number,
): Promise<StoredMessage[]> {
  const { from, to, action, direction, callDirection, before, messageId, search } = filter;
  const rows = rowCondition(filter);
  const result = await client.query({
    query: `
      with (
        select min(time) from (
          select time from ocpp_messages
          where ${rows} and (
            (${frameCondition(filter, 'time', 'seq', 'direction')})
            or (answer_kind != 'none' and ${frameCondition(filter, 'answer_time', 'answer_seq', oppositeDirection)})
          )
          order by charger_id desc, time desc, seq desc
          limit 1 by time, seq
          limit {limit:UInt32}
        )
      ) as oldest
      select toUnixTimestamp64Milli(frame_time) as timeMs, toString(frame_seq) as seqText, frame_direction as direction,
        if(is_answer, toString(answer_kind), toString(kind)) as kind, action, message_id as messageId,
        if(is_answer, answer_error_code, error_code) as errorCode,
        if(answer_kind = 'none' or is_answer, latency_ms, null) as latencyMs,
        ocpp_version as ocppVersion, connection_id as connectionId,
        if(is_answer, answer_payload, payload) as payload, if(is_answer, answer_truncated, truncated) as truncated
      from (
        select *,
          if(is_answer, answer_time, time) as frame_time,
          if(is_answer, answer_seq, seq) as frame_seq,
          if(is_answer, ${oppositeDirection}, toString(direction)) as frame_direction
        from (
          select *, answer_time, answer_seq, arrayJoin(if(answer_kind = 'none', [false], [false, true])) as is_answer
          from ocpp_messages
          where ${rows} and time >= oldest - toIntervalMillisecond(${longestExchangeMs})
        )
      )
      where ${frameCondition(filter, 'frame_time', 'frame_seq', 'frame_direction')}
      order by frame_time desc, frame_seq desc
      limit 1 by frame_time, frame_seq
      limit {limit:UInt32}`,
    query_params: {
      chargerId: charger.id,
      networkId: charger.networkId,
      limit,
      from: from?.getTime(),
      to: to?.getTime(),
      action,
      direction,
      callDirection,
      messageId,
      search,
      beforeTime: before?.time.getTime(),
      beforeSeq: before?.seq,
    },
    format: 'JSONEachRow',
  });
  const frames = await result.json<FrameAnswer>();
  return frames.map(({ timeMs, seqText, ...frame }) => ({ time: new Date(timeMs), seq: seqText, ...frame }));
}

/** Messages of a charger in a bucket. */
export interface MessageCount {
  /** Beginning in ms since 1970. */
  at: number;
  calls: number;
  errors: number;
}

/** Counts the calls of a charger and their errors by bucket, in order of time; buckets without messages are absent. Times in ms. */
export async function countMessages(
  client: ClickHouse,
  charger: { id: number; networkId: number },
  range: { from: number; to: number; widthMs: number },
): Promise<MessageCount[]> {
  const result = await client.query({
    query: `
      select intDiv(toUnixTimestamp64Milli(time), {width:Int64}) * {width:Int64} as bucket,
        uniqExactIf(seq, kind = 'call'), uniqExactIf(seq, ${isErrorRow})
      from ocpp_messages
      where charger_id = {chargerId:UInt32} and network_id = {networkId:UInt32} and time >= ${fromTime} and time < ${toTime}
      group by bucket order by bucket`,
    query_params: {
      chargerId: charger.id,
      networkId: charger.networkId,
      from: range.from,
      to: range.to,
      width: range.widthMs,
    },
    clickhouse_settings: { max_threads: 1 },
    format: 'JSONCompactEachRow',
  });
  const rows = await result.json<[number, number, number]>();
  return rows.map(([at, calls, errors]) => ({ at, calls, errors }));
}
