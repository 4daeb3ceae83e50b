import { type TProperties, type TSchema, Type } from 'typebox';
import { DateTime, Nullable, Pagination, paginationOf, Str, Uuid } from '#api/routes/schema.ts';
import type { PageRequest } from '#shared/domain/kernel/page.ts';

const frame = {
  success: Type.Literal(true, { description: 'Always true.' }),
  timestamp: DateTime('Time of the response.'),
};

/** Success of the operator API: `{data, success, timestamp}`. */
export function Envelope<T extends TSchema>(data: T, description: string) {
  return Type.Object({ data, ...frame }, { description });
}

/** Success whose record has a version, which is its ETag. */
export function VersionedEnvelope<T extends TSchema>(data: T, description: string) {
  const headers = {
    ETag: { type: 'string', description: 'Version of the record, for If-Match (RFC 9110 §8.8.3).' },
  };
  return Type.Object({ data, ...frame }, { description, headers });
}

/** Paged list of the operator API. */
export function PagedEnvelope<T extends TSchema>(item: T, description: string) {
  return Type.Object({ data: Type.Array(item), pagination: Pagination, ...frame }, { description });
}

/** List of the operator API with a cursor. */
export function CursorEnvelope<T extends TSchema>(item: T, description: string) {
  const nextCursor = Nullable(Str('Cursor of the next page. Null on the last page.'));
  return Type.Object({ data: Type.Array(item), nextCursor, ...frame }, { description });
}

/** Success of a deletion: the identifier of the record, and what else the deletion changed. */
export function Deleted<Extra extends TProperties = {}>(
  record: string,
  description: string,
  extra = {} as Extra,
) {
  const id = Uuid(`${record} identifier.`);
  const deleted = Type.Literal(true, { description: 'Always true.' });
  return Envelope(Type.Object({ id, deleted, ...extra }), description);
}

/** Returns the envelope fields of a success. */
export function succeeded() {
  return { success: true as const, timestamp: new Date().toISOString() };
}

/** Wraps data in its envelope. */
export function success<T>(data: T) {
  return { data, ...succeeded() };
}

/** Wraps one page of a list in its envelope. */
export function successPage<T>(data: T[], page: PageRequest, total: number) {
  return { ...success(data), pagination: paginationOf(page, total) };
}

/** Wraps one page with a cursor in its envelope. */
export function successSlice<T>(data: T[], nextCursor: string | null) {
  return { ...success(data), nextCursor };
}

/** Returns the success of a deletion. */
export function deletion<Extra extends object = {}>(uuid: string, extra = {} as Extra) {
  return success({ id: uuid.toLowerCase(), deleted: true as const, ...extra });
}
