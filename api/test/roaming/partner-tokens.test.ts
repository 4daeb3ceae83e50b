import t from 'tap';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { startEmsp } from './support/emsp.ts';
import { makePartner, ocpi, registerEmsp } from './support/partner.ts';

interface Listed {
  uid: string;
  [field: string]: unknown;
}

void t.test('the tokens of a partner', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id, token } = await registerEmsp(api, await startEmsp(t));
  const put = async (uid: string, changed: object = {}) => {
    const payload = {
      country_code: 'DE',
      party_id: 'EMS',
      uid,
      type: 'RFID',
      contract_id: `DE-EMS-${uid}`,
      issuer: 'Example eMSP',
      valid: true,
      whitelist: 'ALLOWED',
      last_updated: '2026-01-31T12:00:00.000Z',
      ...changed,
    };
    const url = `/ocpi/cpo/2.2.1/tokens/DE/EMS/${uid}`;
    const answer = await ocpi(api, token, { method: 'PUT', url, payload });
    if (answer.status !== 201) throw new Error(answer.text);
  };
  await put('CARD-1', { visual_number: '0042 7711', group_id: 'FLEET-7' });
  await put('CARD-2', { valid: false });
  await put('CARD-3', { whitelist: 'NEVER' });
  const url = `/cpms/v1/ocpi-partners/${id}/tokens`;
  const list = (query = '', as: string | null = key) => api.call(as, { url: `${url}${query}` });
  const uids = async (query: string) => {
    const { json } = await list(query);
    return (json['data'] as unknown as Listed[]).map(({ uid }) => uid);
  };

  await t.test('are listed page by page, in the order in which they came', async (t) => {
    const first = await list('?pageSize=2');
    t.match(first, {
      status: 200,
      json: {
        data: [
          {
            countryCode: 'DE',
            partyId: 'EMS',
            uid: 'CARD-1',
            type: 'RFID',
            contractId: 'DE-EMS-CARD-1',
            visualNumber: '0042 7711',
            issuer: 'Example eMSP',
            groupId: 'FLEET-7',
            valid: true,
            whitelist: 'ALLOWED',
            isGranted: true,
            lastUpdated: '2026-01-31T12:00:00.000Z',
          },
          { uid: 'CARD-2', valid: false, visualNumber: null, groupId: null },
        ],
      },
    });
    t.same(await uids(`?pageSize=2&cursor=${first.json['nextCursor'] as unknown as string}`), ['CARD-3']);
  });

  await t.test('are filtered by uid in either case, and by validity', async (t) => {
    t.same(await uids('?uid=card-3'), ['CARD-3']);
    t.same(await uids('?uid=CARD'), [], 'a part is not enough');
    t.same(await uids('?valid=false'), ['CARD-2']);
    t.same(await uids('?valid=true'), ['CARD-1', 'CARD-3']);
  });

  await t.test('are not those of another partner', async (t) => {
    const other = await makePartner(api, { parties: [{ countryCode: 'FR', partyId: 'OTH' }] });
    const { json } = await api.call(key, { url: `/cpms/v1/ocpi-partners/${other.id}/tokens` });
    t.same(json['data'], []);
  });

  await t.test('are marked when the partner no longer acts for their party', async (t) => {
    const payload = { parties: [{ countryCode: 'IT', partyId: 'NEW' }] };
    const change = { method: 'PATCH', url: `/cpms/v1/ocpi-partners/${id}`, payload } as const;
    t.match(await api.call(await mintKey(api, { unrestricted: true, networkIds: [] }), change), {
      status: 200,
    });
    t.match((await list('?uid=CARD-1')).json['data'], [{ uid: 'CARD-1', isGranted: false }]);
  });

  await t.test('are closed to other networks, other scopes and the public', async (t) => {
    const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
    t.match(await list('', foreign), { status: 404, json: { error: { code: 'PARTNER_NOT_FOUND' } } });
    const other = await mintKey(api, { scopes: ['cpms:read:id-tokens'] });
    t.match(await list('', other), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
    t.equal((await list('', null)).status, 401);
  });
});
