import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { until } from '#shared/testing/until.ts';

/** Request that a receiver got. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  event: { id: string; type: string; subject: string; sequence: string; data: Record<string, unknown> };
}

/** Answer of a receiver. */
export interface Reaction {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** True: no answer. */
  hangs?: true;
}

/** Server that receives webhooks. */
export interface Receiver {
  url: string;
  /** Requests, in the order of their arrival. */
  received: Received[];
  /** Those that it answered with 2xx. */
  accepted: Received[];
  /** Decides the answer to a request; by default 204. */
  react: (request: Received) => Reaction | Promise<Reaction>;
  /** Resolves when it got that many requests. */
  got(count: number): Promise<Received[]>;
  /** Listens again, at the same address, after it was closed. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a receiver, which is closed at the end of the test. */
export async function startReceiver(t: Pick<Test, 'teardown'>): Promise<Receiver> {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      const received = { headers: request.headers, body, event: JSON.parse(body) as Received['event'] };
      receiver.received.push(received);
      const { status = 204, headers = {}, body: answer = '', hangs } = await receiver.react(received);
      if (status < 300) receiver.accepted.push(received);
      if (hangs !== true) response.writeHead(status, headers).end(answer);
    })().catch(() => response.destroy());
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/events`,
    received: [],
    accepted: [],
    restart: () => listen(port),
    react: () => ({}),
    got: (count) =>
      until(`${count} requests`, async () => receiver.received.length >= count && receiver.received),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  t.teardown(() => receiver.close());
  return receiver;
}

/** Returns the signatures of a request that this secret made, only by the text of Standard Webhooks. */
export function validSignatures(
  { headers, body }: Pick<Received, 'headers' | 'body'>,
  secret: string,
): string[] {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((signature) => signature === expected);
}
