import type { LineTable } from '#shared/clickhouse/insert-lines.ts';
import type { MessageDirection, MessageKind } from '#shared/clickhouse/ocpp-messages.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';

/** Row of one frame, as versions stored them that had no row of a call with its answer. Times in ms. */
export type FrameRow = [
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

export const frameTable: LineTable = {
  name: 'ocpp_messages',
  columns: [
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
  ],
};
