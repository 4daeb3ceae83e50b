/** The part of a pino logger that the bus writes to. */
export interface BusLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** For callers that want no log lines. */
export const silentLog: BusLog = { info: () => undefined, warn: () => undefined };

/** Returns the message of a thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
