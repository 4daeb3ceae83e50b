/** Name of the ratio of a read to a bare route that runs the same statement, as `api-reads` stores it behind the read and a colon. */
export const statementRatio = 'requests per second by the same statement in bare Fastify';

/** Returns true for a read of several records, false for a single one. */
export function isListRead(name: string): boolean {
  return /^\d|^readings/.test(name);
}
