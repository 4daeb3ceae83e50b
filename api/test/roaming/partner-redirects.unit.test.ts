import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { Outbound } from '#api/services/access/outbound.ts';
import { type CalledPartner, callPartner, isSuccess } from '#api/services/roaming/partner-calls.ts';
import type { RoamingDeps } from '#api/services/roaming/deps.ts';

const partner: CalledPartner = {
  id: 1,
  networkId: 1,
  theirToken: 'sealed',
  quirks: {} as CalledPartner['quirks'],
  countryCode: 'NL',
  partyId: 'EMS',
  ocpiVersion: '2.2.1',
  from: { countryCode: 'NL', partyId: 'CPO' },
};

/** A partner that answers as `locationOf` says: with a redirect, or null for a success. */
async function openPartner(
  t: Test,
  locationOf: (request: IncomingMessage, origin: string) => [status: number, location: string] | null,
) {
  const received: { path: string; method: string; token: string; body: string }[] = [];
  let origin = '';
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const { url: path = '', method = '', headers } = request;
      received.push({ path, method, token: String(headers.authorization), body });
      const redirect = locationOf(request, origin);
      if (redirect === null) return response.end(JSON.stringify({ status_code: 1000 }));
      return response.writeHead(redirect[0], { location: redirect[1] }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const outbound = new Outbound(['127.0.0.1']);
  t.teardown(() => {
    outbound.close();
    server.close();
  });
  const noted: { httpStatus: number; error: string }[] = [];
  const deps = {
    outbound,
    exchanges: { add: (exchange: { httpStatus: number; error: string }) => noted.push(exchange) },
    secrets: { openText: () => 'token' },
  } as unknown as RoamingDeps;
  return {
    received,
    noted,
    put: () =>
      callPartner(deps, partner, {
        module: 'tariffs',
        method: 'PUT',
        url: `${origin}/tariffs/1`,
        body: { id: '1' },
      }),
    get origin() {
      return origin;
    },
  };
}

void t.test('follows a redirect of the whole request to the same origin', async (t) => {
  for (const status of [307, 308]) {
    const { put, received, noted } = await openPartner(t, ({ url = '' }) =>
      url.endsWith('/') ? null : [status, `${url}/`],
    );
    t.ok(isSuccess(await put()), String(status));
    const request = { method: 'PUT', token: received[0]?.token, body: '{"id":"1"}' };
    t.match(received, [
      { ...request, path: '/tariffs/1' },
      { ...request, path: '/tariffs/1/' },
    ]);
    t.match(noted, [{ httpStatus: 200, error: '' }]);
  }
});

void t.test('reports the target of any other redirect, and sends the token nowhere else', async (t) => {
  const other = await openPartner(t, () => null);
  for (const [status, locationOf] of [
    [307, () => `${other.origin}/tariffs/1`],
    [308, () => 'https://elsewhere.example/tariffs/1'],
    [301, (origin: string) => `${origin}/tariffs/1/`],
    [302, (origin: string) => `${origin}/sign-in`],
  ] as const) {
    const { put, received, noted, origin } = await openPartner(t, (_request, own) => [
      status,
      locationOf(own),
    ]);
    const error = `redirects to ${locationOf(origin)}`;
    const answer = await put();
    t.match(answer, { httpStatus: status, statusMessage: error });
    t.notOk(isSuccess(answer));
    t.match(noted, [{ httpStatus: status, error }]);
    t.equal(received.length, 1);
  }
  t.same(other.received, []);
});

void t.test('ends at the second redirect', async (t) => {
  const { put, received } = await openPartner(t, ({ url = '' }) => [308, `${url}/`]);
  t.match(await put(), { httpStatus: 308 });
  t.equal(received.length, 2);
});
