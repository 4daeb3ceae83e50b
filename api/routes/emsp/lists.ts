import type { FastifyReply } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { Pagination, paginationOf } from '#api/routes/schema.ts';
import type { PageRequest } from '#shared/domain/page.ts';

/** A list of the public API: `{data, pagination}`. */
export function List<T extends TSchema>(item: T, description: string) {
  return Type.Object({ data: Type.Array(item), pagination: Pagination }, { description });
}

/** One page of a list. */
export function listPage<T>(data: T[], page: PageRequest, total: number) {
  return { data, pagination: paginationOf(page, total) };
}

/** A list whose items are written before, such as by `KeptItems`. */
export function WrittenList(item: TSchema, description: string) {
  return Type.Unsafe<Uint8Array>(List(item, description));
}

const opening = Buffer.from('{"data":[');
const comma = Buffer.from(',');

/** Sends one page of such a list. */
export function sendPage(
  reply: FastifyReply,
  items: readonly Uint8Array[],
  page: PageRequest,
  total: number,
) {
  const parts: Uint8Array[] = [opening];
  for (const item of items) parts.push(item, comma);
  if (items.length > 0) parts.pop();
  parts.push(Buffer.from(`],"pagination":${JSON.stringify(paginationOf(page, total))}}`));
  return reply.type('application/json; charset=utf-8').send(Buffer.concat(parts));
}
