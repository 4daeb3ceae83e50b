import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Age of a request in seconds from which its signature counts no more. */
const maxAgeSeconds = 300;

interface Options {
  host: string;
  port: number;
  /** Signing secrets; several while one is rotated. Empty: signatures are not verified. */
  secrets: readonly string[];
  /** Status of each answer. */
  status: number;
  print: (line: string) => void;
}

type Verdict = 'valid' | 'invalid' | 'too old' | 'not verified';

/** Starts a server that prints each webhook it receives, with the verdict on its signature. */
export async function startWebhookReceiver({ host, port, secrets, status, print }: Options): Promise<Server> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      const verdict = judge(request.headers, body, secrets);
      print(`${new Date().toISOString()}  ${typeOf(body)}  signature ${verdict}, answered ${status}`);
      print(indented(body));
      response.writeHead(status).end();
    })().catch(() => response.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

/** Judges the signature of a request by Standard Webhooks 1.0. */
function judge(headers: IncomingHttpHeaders, body: string, secrets: readonly string[]): Verdict {
  if (secrets.length === 0) return 'not verified';
  const [id, time, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name] ?? ''),
  );
  const expected = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`);
  });
  const isSigned = (given ?? '')
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((one) => expected.some((other) => one.length === other.length && timingSafeEqual(one, other)));
  if (!isSigned) return 'invalid';
  return Math.abs(Date.now() / 1000 - Number(time)) < maxAgeSeconds ? 'valid' : 'too old';
}

function typeOf(body: string): string {
  const event = parse(body);
  return typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : 'no event';
}

function indented(body: string): string {
  const event = parse(body);
  return event === undefined ? body : JSON.stringify(event, null, 2);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
