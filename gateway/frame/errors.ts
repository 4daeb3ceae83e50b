import type { RpcErrorKind } from '#shared/ocpp/errors.ts';

/** A CALL of a charger that is answered with a CALLERROR of this kind; the message is its description. */
export class CallFault extends Error {
  readonly kind: RpcErrorKind;

  constructor(kind: RpcErrorKind, message: string) {
    super(message);
    this.name = 'CallFault';
    this.kind = kind;
  }
}

/** The charger answered our CALL with a CALLERROR. */
export class CallRefused extends Error {
  readonly code: string;

  constructor(code: string, description: string) {
    super(description === '' ? code : `${code}: ${description}`);
    this.name = 'CallRefused';
    this.code = code;
  }
}

/** The charger did not answer our CALL in time. */
export class CallTimeout extends Error {
  constructor(action: string, timeoutMs: number) {
    super(`no answer to ${action} within ${Number((timeoutMs / 1000).toFixed(1))} s`);
    this.name = 'CallTimeout';
  }
}

/** The charger's socket closed before our CALL was answered. */
export class SocketClosed extends Error {
  constructor() {
    super('the socket of the charger closed');
    this.name = 'SocketClosed';
  }
}
