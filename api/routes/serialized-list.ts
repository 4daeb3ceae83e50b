import type { FastifyReply } from 'fastify';

const opening = Buffer.from('{"data":[');
const comma = Buffer.from(',');

/**
 * Sends one page of a list whose items are already JSON, without serializing it again.
 * @param rest fields of the response beside `data`.
 */
export function sendSerializedList(reply: FastifyReply, items: readonly Uint8Array[], rest: object): never {
  const parts: Uint8Array[] = [opening];
  for (const item of items) {
    if (parts.length > 1) parts.push(comma);
    parts.push(item);
  }
  parts.push(Buffer.from(`],${JSON.stringify(rest).slice(1)}`));
  return reply.type('application/json; charset=utf-8').send(Buffer.concat(parts)) as never;
}
