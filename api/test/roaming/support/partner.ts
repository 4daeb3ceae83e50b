import { type Answer, mintKey, type TestApi } from '#api/test/support/fixtures.ts';
import type { InjectOptions } from 'fastify';
import type { Emsp } from './emsp.ts';

/** Calls OCPI with a token; without one: anonymously. */
export function ocpi(
  api: Pick<TestApi, 'call'>,
  token: string | null,
  request: InjectOptions,
): Promise<Answer> {
  const headers = { ...request.headers, ...(token !== null && { authorization: `Token ${token}` }) };
  return api.call(null, { ...request, headers });
}

/** Response to an invalid request: the standard surface has HTTP status 200 (OCPI 2.2.1 §5). */
export function invalidAt(url: string) {
  return { status: /\/cpo\/(?!2\.2\/)/.test(url) ? 200 : 400, json: { status_code: 2001 } };
}

/** Fields from which partners are created. */
type Registrar = Pick<TestApi, 'call' | 'stores' | 'network'>;

/** The party of the eMSPs of tests, unless another is named. */
const usualParty = { countryCode: 'DE', partyId: 'EMS' };

/** Makes a partner of a network, granted the usual party; answers its uuid and the token that it registers with. */
export async function makePartner(
  api: Registrar,
  body: Record<string, unknown> = {},
): Promise<{ id: string; registrationToken: string }> {
  const key = await mintKey(api, { unrestricted: true, networkIds: [] });
  const payload = { name: 'eMSP', networkUuid: api.network.uuid, parties: [usualParty], ...body };
  const answer = await api.call(key, { method: 'POST', url: '/cpms/v1/ocpi-partners', payload });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json['data'] as unknown as { id: string; registrationToken: string };
}

/** The credentials that an eMSP sends in 2.1.1. */
export function flatCredentialsOf(emsp: Emsp, party = usualParty) {
  return {
    token: emsp.token,
    url: emsp.versionsUrl,
    business_details: { name: 'Example eMSP', website: 'https://emsp.example' },
    party_id: party.partyId,
    country_code: party.countryCode,
  };
}

/** The credentials that an eMSP sends. */
export function credentialsOf(emsp: Emsp, party = usualParty) {
  return {
    token: emsp.token,
    url: emsp.versionsUrl,
    roles: [
      {
        role: 'EMSP',
        party_id: party.partyId,
        country_code: party.countryCode,
        business_details: { name: 'Example eMSP', website: 'https://emsp.example' },
      },
    ],
  };
}

/** A partner that has exchanged credentials; answers the token that it shows us from now on. */
export async function registerEmsp(
  api: Registrar,
  emsp: Emsp,
  options: {
    version?: string;
    party?: { countryCode: string; partyId: string };
    partner?: Record<string, unknown>;
  } = {},
): Promise<{ id: string; token: string }> {
  const { version = '2.2.1', party, partner } = options;
  const { id, registrationToken } = await makePartner(api, {
    ...(party !== undefined && { parties: [party] }),
    ...partner,
  });
  const answer = await ocpi(api, registrationToken, {
    method: 'POST',
    url: `/ocpi/${version}/credentials`,
    payload: (version === '2.1.1' ? flatCredentialsOf : credentialsOf)(emsp, party),
  });
  const token = answer.json['data']?.['token'] as unknown as string | undefined;
  if (token === undefined) throw new Error(answer.text);
  return { id, token };
}
