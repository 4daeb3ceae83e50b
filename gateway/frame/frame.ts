/** OCPP-J message (1.6J §4.2, 2.0.1 part 4 §4.2): the arrays [2,…], [3,…] and [4,…]. */
export type Frame = CallFrame | ResultFrame | ErrorFrame;

export interface CallFrame {
  kind: 'call';
  id: string;
  action: string;
  payload: unknown;
}

export interface ResultFrame {
  kind: 'result';
  id: string;
  payload: unknown;
}

export interface ErrorFrame {
  kind: 'error';
  id: string;
  code: string;
  description: string;
  details: unknown;
}

/** Malformed message. `id` is the message id if it is readable, so that the sender can match the answer. */
export interface BrokenFrame {
  kind: 'broken';
  id: string | null;
  /** `answer`: a CALLRESULT or CALLERROR without a readable id, which is not answered (1.6J §4.2.3). */
  fault: 'not-json' | 'not-a-frame' | 'unknown-message-type' | 'too-deep' | 'answer';
}
