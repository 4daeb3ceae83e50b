import type { ClickHouse } from './client.ts';

/** Call of a charger or of the gateway that begins or ends a session. */
export interface SessionMessage {
  atMs: number;
  action: string;
  messageId: string;
  direction: 'in' | 'out';
  /** Status in the answer, or the code of its error; empty: none. */
  status: string;
  eventType: string;
}

/** Session of which messages are read. */
interface MessagesOf {
  chargerId: number;
  networkId: number;
  transactionId: string;
  idToken: string | null;
  from: Date;
  /** Until when a call that names only the token belongs to the session. */
  begun: Date;
  to: Date;
}

const transaction = `
  coalesce(nullIf(JSONExtractString(payload, 'transactionInfo', 'transactionId'), ''),
    nullIf(JSONExtractString(payload, 'transactionId'), ''), nullIf(JSONExtractRaw(payload, 'transactionId'), ''),
    nullIf(JSONExtractRaw(answer_payload, 'transactionId'), ''), '')`;

const token = `
  coalesce(nullIf(JSONExtractString(payload, 'idToken', 'idToken'), ''), JSONExtractString(payload, 'idTag'))`;

const status = `
  coalesce(nullIf(answer_error_code, ''), nullIf(JSONExtractString(answer_payload, 'idTagInfo', 'status'), ''),
    nullIf(JSONExtractString(answer_payload, 'idTokenInfo', 'status'), ''), JSONExtractString(answer_payload, 'status'))`;

/** Reads the calls that authorized, started and stopped a session, oldest first. Updates of OCPP 2.0.1 are left out. */
export async function readSessionMessages(
  client: ClickHouse,
  session: MessagesOf,
): Promise<SessionMessage[]> {
  const { chargerId, networkId, transactionId, idToken, from, begun, to } = session;
  const result = await client.query({
    query: `
      select toUnixTimestamp64Milli(time) as atMs, toString(action) as action, message_id as messageId, direction,
        ${status} as status, JSONExtractString(payload, 'eventType') as eventType
      from ocpp_messages
      where charger_id = {chargerId:UInt32} and network_id = {networkId:UInt32} and kind = 'call'
        and time between fromUnixTimestamp64Milli({from:Int64}) and fromUnixTimestamp64Milli({to:Int64})
        and action in ('Authorize', 'StartTransaction', 'StopTransaction', 'TransactionEvent', 'RemoteStartTransaction',
          'RemoteStopTransaction', 'RequestStartTransaction', 'RequestStopTransaction')
        and eventType != 'Updated'
        and (${transaction} = {transactionId:String}
          or (time <= fromUnixTimestamp64Milli({begun:Int64}) and ${transaction} = ''
            and lower(${token}) = lower({idToken:String}) and {idToken:String} != ''))
      order by time, seq
      limit 1 by time, seq
      limit 50`,
    query_params: {
      chargerId,
      networkId,
      transactionId,
      idToken: idToken ?? '',
      from: from.getTime(),
      begun: begun.getTime(),
      to: to.getTime(),
    },
    format: 'JSONEachRow',
  });
  return result.json<SessionMessage>();
}

/** Returns the time (ms) of the first reading of a session above its first register; null without one. */
export async function readFirstEnergy(
  client: ClickHouse,
  { chargerId, uuid }: { chargerId: number; uuid: string },
): Promise<number | null> {
  const result = await client.query({
    query: `
      with (select argMin(energy_wh, time) from meter_samples
        where charger_id = {chargerId:UInt32} and session_id = {uuid:UUID} and energy_wh is not null) as first
      select toUnixTimestamp64Milli(min(time)) as atMs, toUInt32(count()) as readings from meter_samples
      where charger_id = {chargerId:UInt32} and session_id = {uuid:UUID} and energy_wh > first`,
    query_params: { chargerId, uuid },
    format: 'JSONEachRow',
  });
  const [row] = await result.json<{ atMs: number; readings: number }>();
  return row === undefined || row.readings === 0 ? null : row.atMs;
}
