import type { Test } from 'tap';
import { type Answer, mintKey, type TestApi } from '#api/test/support/fixtures.ts';
import type { Whitelist } from '#shared/domain/charging/authorization.ts';
import { type Emsp, startEmsp } from './emsp.ts';
import { credentialsOf, makePartner, ocpi } from './partner.ts';
import { seedSession } from './pushing.ts';

/** API that a hub registers at. */
export type HubApi = Pick<TestApi, 'call' | 'stores' | 'network'>;

/** Party of the hub of tests. */
export const hubParty = { countryCode: 'NL', partyId: 'HUB' };

/** Parties behind it. */
export const french = { country_code: 'FR', party_id: 'EMP' };
export const italian = { country_code: 'IT', party_id: 'EMP' };

/** Hub with the token that it shows us. */
export interface RegisteredHub {
  id: string;
  token: string;
  hub: Emsp;
}

/** Starts a hub: it serves the modules of an eMSP, and its clients. */
export async function startHub(t: Test, party = hubParty): Promise<Emsp> {
  const hub = await startEmsp(t, party);
  hub.endpoints.push({ identifier: 'hubclientinfo', role: 'SENDER' });
  return hub;
}

/** Credentials of a hub: itself, in the role HUB. */
export function credentialsOfHub(hub: Emsp, party = hubParty) {
  const { roles, ...credentials } = credentialsOf(hub, party);
  return { ...credentials, roles: roles.map((role) => ({ ...role, role: 'HUB' })) };
}

/** Registers a hub that names itself only, and speaks for any party unless `partner` states otherwise. */
export async function registerHub(
  t: Test,
  api: HubApi,
  partner: Record<string, unknown> = {},
  party = hubParty,
): Promise<RegisteredHub> {
  const hub = await startHub(t, party);
  const grant = { name: 'Hub', parties: [hubParty], hubParties: 'ANY', ...partner };
  const { id, registrationToken } = await makePartner(api, grant);
  const answer = await ocpi(api, registrationToken, {
    method: 'POST',
    url: '/ocpi/2.2.1/credentials',
    payload: credentialsOfHub(hub, party),
  });
  const token = answer.json['data']?.['token'] as unknown as string | undefined;
  if (token === undefined) throw new Error(answer.text);
  return { id, token, hub };
}

/** Headers of a request that a party sends through its hub. */
export function from({ country_code, party_id }: { country_code: string; party_id: string }) {
  return { 'ocpi-from-country-code': country_code, 'ocpi-from-party-id': party_id };
}

/** Pattern of a request that is addressed to a party. */
export function to({ country_code, party_id }: { country_code: string; party_id: string }) {
  return { headers: { 'ocpi-to-country-code': country_code, 'ocpi-to-party-id': party_id } };
}

/** Card of a party behind a hub. */
export function cardOf(
  party: { country_code: string; party_id: string },
  uid: string,
  whitelist: Whitelist = 'ALWAYS',
) {
  return {
    ...party,
    uid,
    type: 'RFID',
    contract_id: `${party.country_code}-${party.party_id}-C1`,
    issuer: 'Issuer',
    valid: true,
    whitelist,
    last_updated: '2025-01-01T00:00:00Z',
  };
}

/** Sends a card through a hub. */
export function putCard(
  api: HubApi,
  token: string,
  card: { country_code: string; party_id: string; uid: string },
  headers: Record<string, string> = {},
): Promise<Answer> {
  const url = `/ocpi/cpo/2.2.1/tokens/${card.country_code}/${card.party_id}/${card.uid}`;
  return ocpi(api, token, { method: 'PUT', url, payload: card, headers });
}

/** Reports the connection of a party behind a hub. */
export function reportClient(
  api: HubApi,
  token: string,
  party: { country_code: string; party_id: string },
  status: string,
  more: object = {},
): Promise<Answer> {
  const url = `/ocpi/cpo/2.2.1/hubclientinfo/${party.country_code}/${party.party_id}`;
  const payload = { ...party, role: 'EMSP', status, last_updated: new Date().toISOString(), ...more };
  return ocpi(api, token, { method: 'PUT', url, payload });
}

/** Changes a partner as an operator. */
export async function patchPartner(api: HubApi, id: string, payload: object): Promise<Answer> {
  const key = await mintKey(api, { unrestricted: true, networkIds: [] });
  return api.call(key, { method: 'PATCH', url: `/cpms/v1/ocpi-partners/${id}`, payload });
}

/** Stores a session of a token of a party behind a hub. */
export async function sessionOf(
  api: TestApi,
  hubId: string,
  chargerId: number,
  party: { country_code: string; party_id: string },
) {
  const session = await seedSession(api, hubId, chargerId);
  const token = { ...party, uid: 'TAG1', type: 'RFID', contract_id: 'C1' };
  await api.stores
    .sql`update sessions set ocpi_token = ${api.stores.sql.json(token)} where id = ${session.id}`;
  return session;
}
