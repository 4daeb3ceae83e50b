/** The part of a pino logger that the bus writes to. */
export interface BusLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** For callers that want no log lines. */
export const silentLog: BusLog = { info: () => undefined, warn: () => undefined };
