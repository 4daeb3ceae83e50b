/** Identity of a CALL; both null when it is no readable frame. */
export interface LoggedCall {
  readonly id: string | null;
  readonly action: string | null;
}

/**
 * Log of the frames of one connection. Its functions neither block nor throw, and keep no text. Directions are those of
 * the call, as seen from the gateway.
 */
export interface FrameLog {
  /** Logs a call with its answer when the answer is received or sent; `errorCode` is that of a CALLERROR. */
  exchange(
    direction: 'in' | 'out',
    call: LoggedCall,
    text: string,
    answer: string,
    errorCode: string | null,
    latencyMs: number,
  ): void;
  /** Logs a call that gets no answer, `ageMs` after it was received or sent. */
  unanswered(direction: 'in' | 'out', call: LoggedCall, text: string, ageMs: number): void;
  /**
   * Logs an answer by itself: of the charger to no call, or to one that is no longer waited for; or a CALLRESULTERROR of either
   * side.
   */
  answerOnly(direction: 'in' | 'out', call: LoggedCall, text: string, errorCode: string | null): void;
}

/** Returns the code of an answer of ours that is a CALLERROR; else null. */
export function errorCodeOf(answer: string): string | null {
  return answer.startsWith('[4,') ? (errorCode.exec(answer)?.[1] ?? '') : null;
}

const errorCode = /^\[4,"(?:[^"\\]|\\.)*","([^"]*)"/;
