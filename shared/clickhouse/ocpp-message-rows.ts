import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { LineTable } from './insert-lines.ts';
import type { MessageDirection, MessageKind } from './ocpp-messages.ts';
import type { BinaryRows } from './row-binary.ts';

const originColumns = ['network_id', 'charger_id', 'ocpp_version', 'connection_id'] as const;

const frameColumns = [
  'time',
  'seq',
  'direction',
  'kind',
  'action',
  'message_id',
  'error_code',
  'payload',
  'truncated',
] as const;

const answerColumns = [
  'answer_kind',
  'latency_ms',
  'answer_error_code',
  'answer_payload',
  'answer_truncated',
] as const;

/** Target table of the rows: origin, frame and answer. */
export const messageTable: LineTable = {
  name: 'ocpp_messages',
  columns: [...originColumns, ...frameColumns, ...answerColumns],
};

/** Numbers of the kinds in the table. */
const kindNumbers: Record<MessageKind, number> = { broken: 0, call: 2, result: 3, error: 4 };

const noAnswer = 0;

/** Maximum length of the stored text of a frame, in characters. */
const longestPayload = 16_384;

/** Maximum length of an action or error code, which chargers choose too; the standard has none longer. */
const longestWord = 64;

/** Connection of a row. */
export interface MessageOrigin {
  networkId: number;
  chargerId: number;
  version: OcppVersion;
  connectionId: string;
}

/** Writes the columns of the connection, the first of a row. */
export function writeOrigin(rows: BinaryRows, origin: MessageOrigin): void {
  rows.uint32(origin.networkId);
  rows.uint32(origin.chargerId);
  rows.string(origin.version);
  rows.uuid(origin.connectionId);
}

/** Writes the columns of the call, or of a frame by itself; after those of the connection. Time in ms. */
export function writeFrame(
  rows: BinaryRows,
  time: number,
  seq: number,
  direction: MessageDirection,
  kind: MessageKind,
  action: string | null,
  id: string | null,
  errorCode: string | null,
  payload: string,
): void {
  rows.int64(time);
  rows.uint64(seq);
  rows.uint8(direction === 'in' ? 1 : 2);
  rows.uint8(kindNumbers[kind]);
  writeWord(rows, action);
  rows.string(id ?? '');
  writeWord(rows, errorCode);
  writePayload(rows, payload);
}

/** Writes the columns of the answer to the call and ends the row. */
export function writeAnswer(
  rows: BinaryRows,
  kind: 'result' | 'error',
  latencyMs: number,
  errorCode: string | null,
  payload: string,
): void {
  rows.uint8(kindNumbers[kind]);
  writeLatency(rows, latencyMs);
  writeWord(rows, errorCode);
  writePayload(rows, payload);
  rows.endRow();
}

/** Writes the columns of a missing answer and ends the row. The latency is the latency of an answer by itself. */
export function writeNoAnswer(rows: BinaryRows, latencyMs: number | null): void {
  rows.uint8(noAnswer);
  writeLatency(rows, latencyMs);
  rows.string('');
  rows.string('');
  rows.boolean(false);
  rows.endRow();
}

/** In ms, to the microsecond. */
function writeLatency(rows: BinaryRows, latencyMs: number | null): void {
  rows.uint8(latencyMs === null ? 1 : 0);
  if (latencyMs !== null) rows.float32(Math.round(latencyMs * 1000) / 1000);
}

function writeWord(rows: BinaryRows, word: string | null): void {
  rows.string(storedWord(word) ?? '');
}

/** Returns an action or error code as it is stored. */
export function storedWord(word: string | null): string | null {
  return word === null || word.length <= longestWord ? word : word.slice(0, longestWord);
}

function writePayload(rows: BinaryRows, text: string): void {
  const { payload, truncated } = storedPayload(text);
  rows.string(payload);
  rows.boolean(truncated);
}

/** Returns the text of a frame as it is stored. */
export function storedPayload(text: string): { payload: string; truncated: boolean } {
  const truncated = text.length > longestPayload;
  return { payload: truncated ? text.slice(0, longestPayload) : text, truncated };
}
