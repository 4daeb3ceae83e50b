import { type TSchema, Type } from 'typebox';
import { DateTime, Nullable, Pagination, paginationOf } from '#api/routes/schema.ts';
import type { PageRequest } from '#shared/domain/kernel/page.ts';

const frame = {
  success: Type.Literal(true, { description: 'Always true.' }),
  timestamp: DateTime('When this answer was made'),
};

/** Every success of the operator API: `{data, success, timestamp}`. */
export function Envelope<T extends TSchema>(data: T, description: string) {
  return Type.Object({ data, ...frame }, { description });
}

/** A success whose record has a version, which is its ETag. */
export function VersionedEnvelope<T extends TSchema>(data: T, description: string) {
  const headers = {
    ETag: { type: 'string', description: 'Version of the record, for If-Match (RFC 9110 §8.8.3).' },
  };
  return Type.Object({ data, ...frame }, { description, headers });
}

/** A paged list of the operator API. */
export function PagedEnvelope<T extends TSchema>(item: T, description: string) {
  return Type.Object({ data: Type.Array(item), pagination: Pagination, ...frame }, { description });
}

/** A list of the operator API that is read on from where a page ended. */
export function CursorEnvelope<T extends TSchema>(item: T, description: string) {
  const nextCursor = Nullable(Type.String({ description: 'Where to read on; null: there is nothing more' }));
  return Type.Object({ data: Type.Array(item), nextCursor, ...frame }, { description });
}

/** The envelope of what is told now. */
export function succeeded() {
  return { success: true as const, timestamp: new Date().toISOString() };
}

/** Puts data into its envelope. */
export function success<T>(data: T) {
  return { data, ...succeeded() };
}

/** Puts one page of a list into its envelope. */
export function successPage<T>(data: T[], page: PageRequest, total: number) {
  return { ...success(data), pagination: paginationOf(page, total) };
}

/** Puts a page that ends at a cursor into its envelope. */
export function successSlice<T>(data: T[], nextCursor: string | null) {
  return { ...success(data), nextCursor };
}
