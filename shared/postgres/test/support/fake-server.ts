import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

/** Message of PostgreSQL's protocol 3.0: its type and its content. */
function message(type: string, content: string | Buffer): Buffer {
  const body = Buffer.from(content);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export const readyForQuery = message('Z', 'I');

const authenticationOk = message('R', Buffer.alloc(4));

/** Complete answer to a query: one row with the column `name` of type text. */
export function oneRow(name: string): Buffer {
  const columns = Buffer.concat([
    Buffer.from([0, 1]),
    Buffer.from('name\0'),
    // Table, number of the column, type (25: text), size, modifier, format.
    Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0]),
  ]);
  const row = Buffer.concat([Buffer.from([0, 1, 0, 0, 0, name.length]), Buffer.from(name)]);
  return Buffer.concat([message('T', columns), message('D', row), message('C', 'SELECT 1\0'), readyForQuery]);
}

/** Complete answer to a query that failed with this code. */
export function failure(code: string): Buffer {
  return Buffer.concat([message('E', `SERROR\0C${code}\0Mfailed\0\0`), readyForQuery]);
}

/**
 * Starts a server that welcomes each connection, and returns its URL. Each later message of a client is passed to `answer` with
 * its type and content.
 */
export async function fakeServer(
  t: Test,
  answer: (type: string, content: Buffer, socket: Socket) => void,
): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(Buffer.concat([authenticationOk, readyForQuery]));
      let left: Buffer = Buffer.alloc(0);
      socket.on('data', (chunk) => {
        left = Buffer.concat([left, chunk]);
        while (left.length > 4 && left.length > left.readInt32BE(1)) {
          const end = left.readInt32BE(1) + 1;
          answer(left.toString('latin1', 0, 1), left.subarray(5, end), socket);
          left = left.subarray(end);
        }
      });
    });
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return `postgres://user:password@127.0.0.1:${(server.address() as AddressInfo).port}/database`;
}
