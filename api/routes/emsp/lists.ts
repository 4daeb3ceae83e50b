import type { FastifyReply } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { KeptItems, Place } from '#api/routes/kept-items.ts';
import { Pagination, paginationOf } from '#api/routes/schema.ts';
import type { Page, PageRequest } from '#shared/domain/page.ts';

/** A list of the public API: `{data, pagination}`. */
export function List<T extends TSchema>(item: T, description: string) {
  return Type.Object({ data: Type.Array(item), pagination: Pagination }, { description });
}

/** What is said of lists whose large totals are remembered. */
export const largeTotals = 'A total above 10,000 may be ten seconds old.';

/** One page of a list. */
export function listPage<T>(data: T[], page: PageRequest, total: number) {
  return { data, pagination: paginationOf(page, total) };
}

const opening = Buffer.from('{"data":[');
const comma = Buffer.from(',');

/**
 * Answers with one page of a list whose items are kept. It is sent as it was written: what a handler returns is nothing to write.
 * @param read gives the rows of places whose items are not.
 */
export async function sendKept<Row, Item extends TSchema>(
  reply: FastifyReply,
  page: PageRequest,
  { rows: places, total }: Page<Place>,
  items: KeptItems<Row, Item>,
  read: (places: Place[]) => Promise<Row[]>,
): Promise<never> {
  const parts: Uint8Array[] = [opening];
  for (const item of await items.at(places, read)) {
    if (parts.length > 1) parts.push(comma);
    parts.push(item);
  }
  parts.push(Buffer.from(`],"pagination":${JSON.stringify(paginationOf(page, total))}}`));
  return reply.type('application/json; charset=utf-8').send(Buffer.concat(parts)) as never;
}
