/** One frame that came in or went out, whole. */
export interface ObservedFrame {
  /** As seen from the gateway. */
  direction: 'in' | 'out';
  kind: 'call' | 'result' | 'error' | 'broken';
  /** An answer has the action of its call. Null where it is not known: of broken text, of an answer to no call of ours. */
  action: string | null;
  /** The message id; null where none could be read. */
  id: string | null;
  text: string;
  /** Of a CALLERROR. */
  errorCode: string | null;
  /** Of an answer: ms from the call to it. */
  latencyMs: number | null;
}

/** Who is shown every frame of a connection; it must neither wait nor throw. */
export type FrameObserver = (frame: ObservedFrame) => void;

/** The observation of a CALL. */
export function observedCall(
  direction: 'in' | 'out',
  call: { id: string; action: string },
  text: string,
): ObservedFrame {
  const { id, action } = call;
  return { direction, kind: 'call', action, id, text, errorCode: null, latencyMs: null };
}

/** The observation of an answer of ours, to a call that came in at `receivedAt` (ms, `performance.now`). */
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
