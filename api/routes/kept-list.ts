import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import type { KeptItems, Place } from './kept-items.ts';

const opening = Buffer.from('{"data":[');
const comma = Buffer.from(',');

/**
 * Answers with one page of a list whose items are kept. It is sent as it was written: what a handler returns is nothing to write.
 * @param read gives the rows of places whose items are not.
 * @param rest what is told beside `data`.
 */
export async function sendKept<Row, Item extends TSchema>(
  reply: FastifyReply,
  places: readonly Place[],
  items: KeptItems<Row, Item>,
  read: (places: Place[]) => Promise<Row[]>,
  rest: object,
): Promise<never> {
  const parts: Uint8Array[] = [opening];
  for (const item of await items.at(places, read)) {
    if (parts.length > 1) parts.push(comma);
    parts.push(item);
  }
  parts.push(Buffer.from(`],${JSON.stringify(rest).slice(1)}`));
  return reply.type('application/json; charset=utf-8').send(Buffer.concat(parts)) as never;
}
