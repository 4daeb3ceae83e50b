import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { System } from '#bench/system/system.ts';
import { requestJson } from './http.ts';

/** Setting that lets the product call servers of this machine, which it refuses by default. */
export const callsLoopback = { OUTBOUND_ALLOW: '127.0.0.0/8' };

const version = '2.2.1';
const party = { countryCode: 'DE', partyId: 'BNC' };

/** Registers a roaming partner through the handshake of OCPI, and returns the token with which it calls. */
export async function registerPartner(system: System): Promise<string> {
  const { data: partner } = await requestJson<{ data: { registrationToken: string } }>(
    system,
    system.operatorKey,
    '/cpms/v1/ocpi-partners',
    { name: 'Bench', parties: [party] },
  );
  const server = createServer((request, response) => {
    const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const data =
      request.url === '/versions'
        ? [{ version, url: `${here}/${version}` }]
        : { version, endpoints: [{ identifier: 'credentials', role: 'SENDER', url: `${here}/credentials` }] };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data, status_code: 1000, timestamp: new Date().toISOString() }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const response = await fetch(`${system.apiUrl}/ocpi/${version}/credentials`, {
      method: 'POST',
      headers: { authorization: `Token ${partner.registrationToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        token: randomUUID(),
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/versions`,
        roles: [
          {
            role: 'EMSP',
            party_id: party.partyId,
            country_code: party.countryCode,
            business_details: { name: 'Bench' },
          },
        ],
      }),
    });
    const answer = (await response.json()) as { data?: { token?: string } };
    const token = answer.data?.token;
    if (token === undefined) throw new Error(`the handshake failed: ${JSON.stringify(answer)}`);
    return token;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
