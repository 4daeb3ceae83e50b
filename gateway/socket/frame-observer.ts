/** Received or sent frame. */
export interface ObservedFrame {
  /** Direction as seen from the gateway. */
  direction: 'in' | 'out';
  kind: 'call' | 'result' | 'error' | 'broken';
  /**
   * Action; of an answer, the action of its call. Null when unknown: a malformed message, or an answer without a call.
   */
  action: string | null;
  /** Message id; null when unreadable. */
  id: string | null;
  text: string;
  /** Code of a CALLERROR. */
  errorCode: string | null;
  /** Time in ms from a call to its answer. */
  latencyMs: number | null;
}

/** Observer of every frame of a connection; it must neither block nor throw. */
export type FrameObserver = (frame: ObservedFrame) => void;

/** Returns the observation of a CALL. */
export function observedCall(
  direction: 'in' | 'out',
  call: { id: string; action: string },
  text: string,
): ObservedFrame {
  const { id, action } = call;
  return { direction, kind: 'call', action, id, text, errorCode: null, latencyMs: null };
}

/** Returns the observation of our answer to a call received at `receivedAt` (ms, `performance.now`). */
export function observedAnswer(
  call: { id: string | null; action: string | null },
  text: string,
  receivedAt: number,
): ObservedFrame {
  const isError = text.startsWith('[4,');
  return {
    direction: 'out',
    kind: isError ? 'error' : 'result',
    action: call.action,
    id: call.id,
    text,
    errorCode: isError ? (errorCode.exec(text)?.[1] ?? null) : null,
    latencyMs: performance.now() - receivedAt,
  };
}

const errorCode = /^\[4,"(?:[^"\\]|\\.)*","([^"]*)"/;
