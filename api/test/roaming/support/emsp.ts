import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { until } from '#shared/testing/until.ts';
import type { Json } from '#api/test/support/fixtures.ts';

/** One request that the partner got from us. */
export interface Recorded {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: Json;
}

/** Response of the partner to a request: a status, an envelope or any body, and a delay. */
export interface Reaction {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  delayMs?: number;
  /** The answer waits for this, if it comes before the client gives up. */
  waitsFor?: Promise<unknown>;
  /** Closes the connection without an answer. */
  hangUp?: boolean;
}

/** An eMSP: a real HTTP server with its own token, that records what it gets and can be made to fail. */
export interface Emsp {
  url: string;
  versionsUrl: string;
  /** The token that we must show it. */
  token: string;
  received: Recorded[];
  /** Versions that it lists. */
  versions: string[];
  /** Modules that it serves, as receiver unless named otherwise. */
  endpoints: { identifier: string; role: string }[];
  /** Sets the response to requests whose path begins with this, once or until it is removed. */
  react(path: string, reaction: Reaction | ((request: Recorded) => Reaction), times?: number): void;
  /** The next request of this method and path beginning that is not yet taken. */
  next(method: string, path: string): Promise<Recorded>;
  /** Stops listening, as a partner that is down. */
  stop(): Promise<void>;
  /** Listens again, at the same address. */
  start(): Promise<void>;
}

/** Starts an eMSP for the length of a test. */
export async function startEmsp(
  t: Pick<Test, 'teardown'>,
  party = { countryCode: 'DE', partyId: 'EMS' },
): Promise<Emsp> {
  const reactions: { path: string; react: (request: Recorded) => Reaction; times: number }[] = [];
  const taken = new Set<Recorded>();
  const emsp: Emsp = {
    url: '',
    versionsUrl: '',
    token: `emsp-token-${party.partyId}`,
    received: [],
    versions: ['2.2', '2.2.1'],
    endpoints: ['credentials', 'locations', 'sessions', 'cdrs', 'tariffs', 'commands', 'chargingprofiles']
      .map((identifier) => ({ identifier, role: identifier === 'commands' ? 'SENDER' : 'RECEIVER' }))
      .concat({ identifier: 'tokens', role: 'SENDER' }),
    react(path, reaction, times = Number.POSITIVE_INFINITY) {
      reactions.push({ path, react: typeof reaction === 'function' ? reaction : () => reaction, times });
    },
    next(method, path) {
      return until(`${method} ${path}`, () => {
        const found = emsp.received.find(
          (request) => !taken.has(request) && request.method === method && request.path.startsWith(path),
        );
        if (found !== undefined) taken.add(found);
        return found;
      });
    },
    stop: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
    start: () => listen(Number(new URL(emsp.url).port)),
  };
  const server = createServer((request, response) => {
    const reply = async () => {
      const body = await bodyOf(request);
      const recorded = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body,
      };
      emsp.received.push(recorded);
      const known = reactions.find(({ path, times }) => times > 0 && recorded.path.startsWith(path));
      if (known !== undefined) known.times -= 1;
      answer(response, known?.react(recorded) ?? usual(emsp, recorded));
    };
    void reply();
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => void server.listen(port, '127.0.0.1', () => resolve()));
  await listen(0);
  emsp.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  emsp.versionsUrl = `${emsp.url}/ocpi/versions`;
  t.teardown(() => emsp.stop());
  return emsp;
}

/** An envelope of OCPI. */
export function enveloped(data?: unknown, statusCode = 1000): unknown {
  return {
    ...(data !== undefined && { data }),
    status_code: statusCode,
    timestamp: new Date().toISOString(),
  };
}

function usual(emsp: Emsp, { headers, path }: Recorded): Reaction {
  const shown = [emsp.token, Buffer.from(emsp.token).toString('base64')].map((token) => `Token ${token}`);
  if (!shown.includes(headers.authorization ?? '')) return { status: 401, body: enveloped(undefined, 2002) };
  const version = /^\/ocpi\/(\d[\d.]*)$/.exec(path)?.[1];
  if (path === '/ocpi/versions') {
    return {
      body: enveloped(emsp.versions.map((name) => ({ version: name, url: `${emsp.url}/ocpi/${name}` }))),
    };
  }
  if (version === undefined) return { body: enveloped() };
  const endpoints = emsp.endpoints.map(({ identifier, role }) => ({
    identifier,
    // 2.1.1 has no roles.
    ...(version !== '2.1.1' && { role }),
    url: `${emsp.url}/ocpi/emsp/${version}/${identifier}`,
  }));
  return { body: enveloped({ version, endpoints }) };
}

function answer(
  response: ServerResponse,
  { status = 200, body, headers, delayMs = 0, waitsFor, hangUp }: Reaction,
): void {
  if (hangUp === true) {
    response.destroy();
    return;
  }
  const write = () => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  if (waitsFor === undefined) setTimeout(write, delayMs).unref();
  else void waitsFor.then(write);
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? {} : (JSON.parse(text) as Json);
}
