import type { RpcErrorKind } from '#shared/ocpp/errors.ts';

/** Fault of a charger's CALL, answered with a CALLERROR of this kind; the message is its description. */
export class CallFault extends Error {
  readonly kind: RpcErrorKind;

  constructor(kind: RpcErrorKind, message: string) {
    super(message);
    this.name = 'CallFault';
    this.kind = kind;
  }
}

/** CALLERROR of a charger in answer to our CALL. */
export class CallRefused extends Error {
  readonly code: string;

  constructor(code: string, description: string) {
    super(description === '' ? code : `${code}: ${description}`);
    this.name = 'CallRefused';
    this.code = code;
  }
}

/** Missing answer of a charger to our CALL. */
export class CallTimeout extends Error {
  constructor(action: string, timeoutMs: number) {
    super(`no answer to ${action} within ${Number((timeoutMs / 1000).toFixed(1))} s`);
    this.name = 'CallTimeout';
  }
}

/** Close of the charger's socket before our CALL was answered. */
export class SocketClosed extends Error {
  constructor() {
    super('the socket of the charger closed');
    this.name = 'SocketClosed';
  }
}

/** Outcome of a CALL of a charger. */
export type CallOutcome = 'result' | RpcErrorKind;
