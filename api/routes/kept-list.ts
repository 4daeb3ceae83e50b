import type { FastifyReply } from 'fastify';

const opening = Buffer.from('{"data":[');
const comma = Buffer.from(',');

/**
 * Answers with one page of a list whose items are JSON already. It is sent as it was written: what a handler returns is nothing to write.
 * @param rest what is told beside `data`.
 */
export function sendKept(reply: FastifyReply, items: readonly Uint8Array[], rest: object): never {
  const parts: Uint8Array[] = [opening];
  for (const item of items) {
    if (parts.length > 1) parts.push(comma);
    parts.push(item);
  }
  parts.push(Buffer.from(`],${JSON.stringify(rest).slice(1)}`));
  return reply.type('application/json; charset=utf-8').send(Buffer.concat(parts)) as never;
}
