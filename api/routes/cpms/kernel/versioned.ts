import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { DomainError } from '#shared/domain/kernel/errors.ts';

/** The headers of a request that changes a record with a version. */
export const ifMatchHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      description:
        'The ETag of the record as it was read: 412 when it was changed since. Without it: whatever it is.',
      examples: ['"3"'],
    }),
  ),
});

/** What every record with a version carries. */
export const Version = Type.Integer({
  description: 'Counts the changes; the ETag of the record',
  examples: [3],
});

/** Says a record's version in the answer's ETag (RFC 9110 §8.8.3). */
export function tellVersion(reply: FastifyReply, record: { version: number }): void {
  reply.header('etag', `"${record.version}"`);
}

/**
 * The version that If-Match asks for; null: any (no header, or `*`). A weak ETag is taken too, other
 * than RFC 9110 §13.1.1 has it: a proxy that compresses makes ours weak, and it counts changes of the record, not bytes.
 * @throws {DomainError} PRECONDITION_FAILED for what is no ETag of ours: it matches no record.
 */
export function expectedVersion(headers: { 'if-match'?: string | undefined }): number | null {
  const etag = headers['if-match'];
  if (etag === undefined || etag.trim() === '*') return null;
  const version = /^\s*(?:W\/)?"(\d{1,9})"\s*$/.exec(etag)?.[1];
  if (version !== undefined) return Number(version);
  throw new DomainError('PRECONDITION_FAILED', 'If-Match is no ETag of this record.');
}
