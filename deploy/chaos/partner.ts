import { randomBytes } from 'node:crypto';
import { enveloped, type Recorded, startEmsp } from '#api/test/roaming/support/emsp.ts';
import { registerEmsp } from '#api/test/roaming/support/partner.ts';
import type { TestApi } from '#api/test/support/fixtures.ts';
import type { NetworkRecord } from '#shared/postgres/fleet/networks.statements.ts';
import { upsertOcpiTokens } from '#shared/postgres/roaming/ocpi-tokens.statements.ts';
import type { TestStores } from '#shared/testing/stores.ts';
import type { PartnerObjects } from './evidence.ts';
import { Link } from './link.ts';
import type { Scope } from './scope.ts';

const party = { countryCode: 'DE', partyId: 'EMS' };
const alreadyKnown = { status: 409, body: enveloped(undefined, 2001) };

/** Roaming partner that keeps the sessions and CDRs that it receives. */
interface Partner {
  /** Link from the product to the partner. */
  link: Link;
  objects: PartnerObjects;
  /** Token of the partner that chargers accept. */
  idToken: string;
}

/** Starts a partner and registers it at an API by the OCPI handshake. */
export async function startPartner(
  scope: Scope,
  stores: TestStores,
  network: NetworkRecord,
  apiUrl: string,
): Promise<Partner> {
  const emsp = await startEmsp(scope, party);
  const link = await Link.open([Number(new URL(emsp.url).port)]);
  scope.teardown(() => link.close());
  emsp.url = `http://127.0.0.1:${link.port}`;
  emsp.versionsUrl = `${emsp.url}/ocpi/versions`;
  const objects: PartnerObjects = { sessions: new Map(), cdrs: new Map() };
  emsp.react('/ocpi/emsp/', (request) => {
    // The run takes hours at most, and its requests would fill the memory.
    emsp.received.length = 0;
    return keep(objects, request) ? { body: enveloped() } : alreadyKnown;
  });
  const { id } = await registerEmsp({ stores, network, call: callOf(apiUrl) }, emsp);
  const idToken = `EMS${randomBytes(5).toString('hex').toUpperCase()}`;
  const [row] = await stores.sql<{ id: number }[]>`select id from ocpi_partners where uuid = ${id}`;
  if (row === undefined) throw new Error('the partner is not stored');
  await upsertOcpiTokens(stores.sql, row.id, [
    {
      ...party,
      uid: idToken,
      type: 'RFID',
      contractId: 'DE-EMS-1',
      visualNumber: null,
      issuer: party.partyId,
      groupId: null,
      isValid: true,
      whitelist: 'ALWAYS',
      language: null,
      defaultProfileType: null,
      energyContract: null,
      lastUpdated: new Date(),
    },
  ]);
  return { link, objects, idToken };
}

/** Keeps a pushed object as partners do; returns false for a CDR that is there already. */
function keep({ sessions, cdrs }: PartnerObjects, { method, path, body }: Recorded): boolean {
  const [, module, , , id] = /^\/ocpi\/emsp\/[\d.]+\/(\w+)(?:\/(\w+)\/(\w+)\/([\w-]+))?/.exec(path) ?? [];
  if (module === 'sessions' && id !== undefined)
    sessions.set(id, method === 'PATCH' ? { ...sessions.get(id), ...body } : body);
  if (module !== 'cdrs') return true;
  const cdr = body as Record<string, unknown>;
  const cdrId = String(cdr['id']);
  if (cdrs.has(cdrId)) return false;
  cdrs.set(cdrId, cdr);
  return true;
}

/** Returns the client of an API that listens at an address. */
function callOf(apiUrl: string): TestApi['call'] {
  return async (key, { method, url, headers, payload }) => {
    if (typeof url !== 'string') throw new TypeError('the request has no URL');
    const response = await fetch(`${apiUrl}${url}`, {
      method: method ?? 'GET',
      headers: {
        ...(headers as Record<string, string>),
        ...(key !== null && { 'x-api-key': key }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
      },
      ...(payload !== undefined && { body: JSON.stringify(payload) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      json: JSON.parse(text) as Awaited<ReturnType<TestApi['call']>>['json'],
      text,
    };
  };
}
