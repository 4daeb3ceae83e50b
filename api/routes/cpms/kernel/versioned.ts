import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Integer, Str } from '#api/routes/schema.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { success } from './envelope.ts';

/** Headers of a request that changes a versioned record. */
export const ifMatchHeaders = Type.Object({
  'if-match': Type.Optional(
    Str(
      'ETag of the record as it was read. 412 when the record changed since. Without it, the change applies to ' +
        'any version.',
      '"3"',
    ),
  ),
});

/** Version field of a versioned record. */
export const Version = Integer('Version of the record, also its ETag. Each change increments it.', 3);

/** Returns the success of a record, whose version becomes the ETag (RFC 9110 §8.8.3). */
export function versioned<Data>(reply: FastifyReply, record: { version: number }, data: Data) {
  reply.header('etag', `"${record.version}"`);
  return success(data);
}

/**
 * Returns the version that If-Match requires, or null for any (no header, or `*`). Accepts weak ETags, unlike RFC 9110
 * §13.1.1: a compressing proxy weakens them, and they count changes of the record, not bytes.
 * @throws {DomainError} PRECONDITION_FAILED for an ETag of another form, which matches no record.
 */
export function expectedVersion(headers: { 'if-match'?: string | undefined }): number | null {
  const etag = headers['if-match'];
  if (etag === undefined || etag.trim() === '*') return null;
  const version = /^\s*(?:W\/)?"(\d{1,9})"\s*$/.exec(etag)?.[1];
  if (version !== undefined) return Number(version);
  throw new DomainError('PRECONDITION_FAILED', 'If-Match holds no ETag of this record.');
}
