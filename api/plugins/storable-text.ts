import { Readable } from 'node:stream';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { App } from './app-instance.ts';

const rule = 'must not contain a NUL character or half of a surrogate pair';

/**
 * Rejects paths and queries with text that no store accepts, after the validation by schema. PostgreSQL has no NUL,
 * and UTF-8 no half of a surrogate pair.
 */
export function refuseUnstorableUrls(app: App): void {
  app.addHook('preHandler', ({ params, query }, _reply, next) => {
    requireStorable('path', params);
    requireStorable('query', query);
    next();
  });
}

/** Rejects JSON bodies with such text in names and values. Uploads, which are streams of bytes, pass. */
export function refuseUnstorableBodies(app: App): void {
  app.addHook('preHandler', ({ body }, _reply, next) => {
    if (!(body instanceof Readable)) requireStorable('body', body);
    next();
  });
}

/**
 * Rejects such text.
 * @throws {DomainError} VALIDATION_FAILED with the name of the field.
 */
function requireStorable(part: string, value: unknown): void {
  const field = unstorableIn(value, '');
  if (field === null) return;
  const problem = field === '' ? rule : `${field} ${rule}`;
  throw new DomainError('VALIDATION_FAILED', `Invalid ${part}: ${problem}.`, {
    errors: [{ field, message: rule }],
  });
}

/** Returns the path of the first text that cannot be stored, or null. */
function unstorableIn(whole: unknown, at: string): string | null {
  // Iterates instead of recursing: a body can nest deeper than the stack.
  const left: [path: string, value: unknown][] = [[at, whole]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [path, value] = next;
    if (typeof value === 'string' && !isStorable(value)) return path;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (!isStorable(name)) return path;
      left.push([path === '' ? name : `${path}.${name}`, inner]);
    }
  }
  return null;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
