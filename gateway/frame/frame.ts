/** OCPP-J message (1.6J §4.2, 2.0.1 and 2.1 part 4 §4.2): the arrays [2,…], [3,…] and [4,…], of 2.1 also [5,…] and [6,…]. */
export type Frame = CallFrame | ResultFrame | ErrorFrame;

export interface CallFrame {
  /** A `send` is never answered (2.1 part 4 §4.2.4). */
  kind: 'call' | 'send';
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
  /** CALLERROR, or the CALLRESULTERROR to a CALLRESULT (2.1 part 4 §4.2.3). */
  kind: 'error' | 'result-error';
  id: string;
  code: string;
  description: string;
  details: unknown;
}

/** Malformed message. `id` is the message id if it is readable, so that the sender can match the answer. */
export interface BrokenFrame {
  kind: 'broken';
  id: string | null;
  /**
   * `unanswerable`: not answered, such as a CALLRESULT or CALLERROR without a readable id (1.6J §4.2.3), a SEND, and in 2.1 a
   * message of an unknown type (part 4 §4.1.3).
   */
  fault: 'not-json' | 'not-a-frame' | 'unknown-message-type' | 'too-deep' | 'unanswerable';
}
