import t from 'tap';
import { items, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { startEmsp } from './support/emsp.ts';
import { makePartner, registerEmsp } from './support/partner.ts';

const partners = '/cpms/v1/ocpi-partners';
const manage = ['cpms:read:ocpi-partners', 'cpms:write:ocpi-partners'];
const commands = ['remote-start', 'remote-stop', 'unlock-connector', 'reservation', 'charging-profile'].map(
  (name) => `cpms:command:${name}`,
);
const parties = [{ countryCode: 'BE', partyId: 'NEW' }];

/** The requests that hand out, or widen, what a partner may do. */
const grantsTo = (id: string) =>
  [
    { method: 'POST', url: partners, payload: { name: 'New', parties } },
    { method: 'POST', url: `${partners}/${id}/registration-token` },
    { method: 'PATCH', url: `${partners}/${id}`, payload: { parties } },
    { method: 'PATCH', url: `${partners}/${id}`, payload: { isSuspended: false } },
    { method: 'PATCH', url: `${partners}/${id}`, payload: { rateLimitPerHour: null } },
    { method: 'PATCH', url: `${partners}/${id}`, payload: { tokenValidDays: null } },
    { method: 'PATCH', url: `${partners}/${id}`, payload: { authorizationOrder: 1 } },
    { method: 'PATCH', url: `${partners}/${id}`, payload: { isNationalAccessPoint: true } },
  ] as const;

async function partnerOf(api: TestApi): Promise<string> {
  return (await makePartner(api)).id;
}

void t.test('a caller without the commands of a partner gives no partner its rights', async (t) => {
  const api = await startTestApi(t);
  const id = await partnerOf(api);
  for (const missing of commands) {
    const scopes = [...manage, ...commands.filter((scope) => scope !== missing)];
    const key = await mintKey(api, { scopes });
    for (const request of grantsTo(id)) {
      const refused = {
        status: 403,
        json: { error: { code: 'SCOPE_MISSING', details: { scope: missing } } },
      };
      t.match(await api.call(key, request), refused, `${request.method} ${request.url}`);
    }
  }
  const list = await api.call(await mintKey(api), { url: partners });
  t.equal(items(list.json['data']).length, 1, 'no partner was created');
});

void t.test('a caller that may not write locations lets no partner write them', async (t) => {
  const api = await startTestApi(t);
  const id = await partnerOf(api);
  const key = await mintKey(api, { scopes: [...manage, ...commands] });
  const payload = { writeScopes: ['locations'] };
  t.match(await api.call(key, { method: 'PATCH', url: `${partners}/${id}`, payload }), {
    status: 403,
    json: { error: { code: 'SCOPE_MISSING', details: { scope: 'cpms:write:locations' } } },
  });
});

void t.test('a key with an expiry gives no partner a token without one', async (t) => {
  const api = await startTestApi(t);
  const id = await partnerOf(api);
  const key = await mintKey(api, {
    scopes: [...manage, ...commands],
    expiresAt: new Date(Date.now() + 3_600_000),
  });
  for (const request of grantsTo(id)) {
    const refused = { status: 403, json: { error: { code: 'KEY_LIMIT_EXCEEDED' } } };
    t.match(await api.call(key, request), refused, `${request.method} ${request.url}`);
  }
});

void t.test('a caller without commands renames and suspends a partner', async (t) => {
  const api = await startTestApi(t);
  const { id } = await registerEmsp(api, await startEmsp(t));
  const key = await mintKey(api, { scopes: manage });
  for (const payload of [{ name: 'Renamed' }, { isSuspended: true }, { writeScopes: [] }]) {
    const answer = await api.call(key, { method: 'PATCH', url: `${partners}/${id}`, payload });
    t.equal(answer.status, 200, JSON.stringify(payload));
  }
});

void t.test('a caller with the commands of a partner creates one', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api, { scopes: [...manage, ...commands] });
  t.equal(
    (await api.call(key, { method: 'POST', url: partners, payload: { name: 'New', parties } })).status,
    201,
  );
});
