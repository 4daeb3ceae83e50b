/** Name of the ratio of a read, as `api-reads` stores it behind the read and a colon. */
export const fastifyRatio = 'requests per second by bare Fastify';

/** Returns true for a read of several records, false for a single one. */
export function isListRead(name: string): boolean {
  return /^\d|^readings/.test(name);
}
