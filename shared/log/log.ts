import { type Logger, pino } from 'pino';
import type { LogLevel } from '#shared/config/config.ts';

export type { Logger } from 'pino';

/** Log fields that may contain a secret: never written, at any level. */
const secretPaths = [
  'req.headers.authorization',
  'req.headers["x-api-key"]',
  'req.headers.cookie',
  'password',
  '*.password',
  'key',
  '*.key',
];

/** A JSON logger on standard output; `part` names the process or thread. */
export function createLogger(part: string, level: LogLevel): Logger {
  return pino({ name: part, level, redact: { paths: secretPaths, censor: '[masked]' } });
}
