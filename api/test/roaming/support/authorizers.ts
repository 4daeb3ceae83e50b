import type { Test } from 'tap';
import { serveTokenAuthorizations } from '#api/services/roaming/real-time-authorization.ts';
import { testDeps } from '#api/test/support/deps.ts';
import { openBus } from '#shared/bus/open.ts';
import { hashSecret } from '#shared/domain/kernel/secrets.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { insertPartner, storeRegistration } from '#shared/postgres/roaming/ocpi-partners.statements.ts';
import type { TestStores } from '#shared/testing/stores.ts';
import type { Emsp } from './emsp.ts';

/** Token with which the stored partner of the usual party calls us. */
export const ourToken = 'token-of-DE-EMS';

/** Stores a registered partner that authorizes tokens in real time; returns its internal id. */
export async function storeAuthorizer(
  sql: Sql,
  networkId: number,
  emsp: Emsp,
  party = { countryCode: 'DE', partyId: 'EMS' },
): Promise<number> {
  const tokenHash = hashSecret(`token-of-${party.countryCode}-${party.partyId}`);
  const partner = {
    networkId,
    name: 'eMSP',
    parties: [party],
    writeScopes: [],
    quirks: {},
    rateLimitPerHour: null,
    tokenHash,
  };
  const uuid = await sql.begin((transaction) => insertPartner(transaction, partner));
  const [row] = await sql<{ id: number }[]>`select id from ocpi_partners where uuid = ${uuid}`;
  if (row === undefined) throw new Error('no partner was stored');
  await sql.begin((transaction) =>
    storeRegistration(transaction, row.id, tokenHash, {
      tokenHash,
      theirToken: emsp.token,
      versionsUrl: emsp.versionsUrl,
      ocpiVersion: '2.2.1',
      roles: [
        {
          role: 'EMSP',
          ...party,
          businessDetails: { name: 'eMSP', website: null, logoUrl: null },
        },
      ],
      endpoints: [{ identifier: 'tokens', role: 'SENDER', url: `${emsp.url}/ocpi/emsp/2.2.1/tokens/` }],
    }),
  );
  return row.id;
}

/** Starts an API process that authorizes tokens, with a member of the bus of its own. */
export async function startAuthorizer(t: Test, stores: TestStores) {
  const bus = await openBus({ redisUrl: stores.redisUrl, localName: '' });
  const deps = await testDeps(t, stores, bus);
  const stop = await serveTokenAuthorizations(deps);
  t.teardown(() => bus.close());
  return { deps, stop };
}
