import { DomainError } from '#shared/domain/errors.ts';
import type { App } from './app-instance.ts';

const rule = 'must not contain a NUL character or half of a surrogate pair';

/**
 * Refuses paths and queries with text that no store takes, after the schemas of the route. PostgreSQL has no NUL, and UTF-8
 * no half of a surrogate pair.
 */
export function refuseUnstorableUrls(app: App): void {
  app.addHook('preHandler', async ({ params, query }) => {
    requireStorable('The path', params);
    requireStorable('The query', query);
  });
}

/** Refuses bodies with such text, in names and values. Bytes that are no JSON are let through. */
export function refuseUnstorableBodies(app: App): void {
  app.addHook('preHandler', async ({ body }) => {
    if (!Buffer.isBuffer(body)) requireStorable('The body', body);
  });
}

/** @throws {DomainError} VALIDATION_FAILED, naming the field. */
function requireStorable(part: string, value: unknown): void {
  const field = unstorableIn(value, '');
  if (field === null) return;
  const problem = field === '' ? rule : `${field} ${rule}`;
  throw new DomainError('VALIDATION_FAILED', `${part} is wrong: ${problem}.`, {
    errors: [{ field, message: rule }],
  });
}

/** Returns the path of the first text that cannot be stored; null when there is none. */
function unstorableIn(value: unknown, at: string): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : at;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    if (!isStorable(name)) return at;
    const found = unstorableIn(inner, at === '' ? name : `${at}.${name}`);
    if (found !== null) return found;
  }
  return null;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
