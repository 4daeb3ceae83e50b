import type { OcppVersion } from './ocpp-version.ts';

/** Channel on which API processes name the chargers whose new messages they want, to all shards of the gateway. */
export const tailRequestChannel = 'message-tails';

/** Channel of the new messages of a charger. */
export const tailChannel = (chargerId: number): string => `message-tail:${chargerId}`;

/** Request for the new messages of a charger. It ends by itself, so that an API process that dies leaves none behind. */
export interface TailRequest {
  chargerId: number;
  leaseMs: number;
}

/** Frame as it is stored in the message log. Time in ms since 1970. */
export interface TailFrame {
  time: number;
  seq: number;
  direction: 'in' | 'out';
  kind: 'call' | 'result' | 'error' | 'broken';
  errorCode: string | null;
  latencyMs: number | null;
  payload: string;
  truncated: boolean;
}

/** A call with its answer, or a frame by itself: one row of the message log. */
export interface TailRow {
  networkId: number;
  ocppVersion: OcppVersion;
  connectionId: string;
  action: string | null;
  messageId: string | null;
  /** The answer is an error, or a frame is not OCPP-J. */
  isError: boolean;
  frames: TailFrame[];
}

/** New rows of a charger, and the number of those that were left out since the last batch. */
export interface TailBatch {
  rows: TailRow[];
  dropped: number;
}

/** Interval in ms at which the rows of a charger are published. */
export const tailEveryMs = 250;

/** Maximum number of rows in a batch: 400 a second. */
export const maxTailRows = 100;
