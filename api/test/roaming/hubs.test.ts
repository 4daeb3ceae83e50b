import t from 'tap';
import { pullTokens } from '#api/services/roaming/pulled-lists.ts';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { findRoamingToken } from '#shared/postgres/roaming/ocpi-authorizations.ts';
import { enveloped } from './support/emsp.ts';
import {
  cardOf,
  french,
  from,
  hubParty,
  italian,
  patchPartner,
  putCard,
  registerHub,
} from './support/hub.ts';
import { makePartner, ocpi } from './support/partner.ts';

const partners = '/cpms/v1/ocpi-partners';
const otherHub = { countryCode: 'DE', partyId: 'HUB' };
const granted = { countryCode: 'FR', partyId: 'EMP' };
const done = { json: { status_code: 1000 } };
const notYours = { json: { status_code: 2001, status_message: /party_id must be yours/ } };

void t.test('the tokens of parties behind a hub', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const networkId = api.network.id;
  const { id, token } = await registerHub(t, api);
  const partyAtCharger = async (uid: string) =>
    (await findRoamingToken(sql, networkId, uid))?.token.country_code;

  await t.test('are stored, read and changed by country and party', async (t) => {
    const card = cardOf(french, 'CARD-1');
    t.match(await putCard(api, token, card), done);
    t.match(
      await putCard(api, token, cardOf(italian, 'CARD-1')),
      done,
      'of another party, with the same uid',
    );
    const url = '/ocpi/cpo/2.2.1/tokens/FR/EMP/CARD-1';
    t.match(await ocpi(api, token, { url }), { json: { data: french } });
    const payload = { valid: false, last_updated: '2025-02-01T00:00:00Z' };
    t.match(await ocpi(api, token, { method: 'PATCH', url, payload }), done);
    t.match(await findRoamingToken(sql, networkId, 'CARD-1'), { isValid: false, token: french });
  });

  await t.test('are refused when the party is another partner or the network itself', async (t) => {
    await makePartner(api, { parties: [{ countryCode: 'BE', partyId: 'DIR' }] });
    for (const party of [
      { country_code: 'BE', party_id: 'DIR' },
      { country_code: 'NL', party_id: 'CWY' },
    ]) {
      t.match(await putCard(api, token, cardOf(party, 'CARD-2')), notYours);
    }
  });

  await t.test('stop to count once a direct partner is granted the party', async (t) => {
    const card = cardOf({ country_code: 'AT', party_id: 'NEW' }, 'CARD-3');
    t.match(await putCard(api, token, card), done);
    t.equal(await partyAtCharger('CARD-3'), 'AT');
    await makePartner(api, { parties: [{ countryCode: 'AT', partyId: 'NEW' }] });
    t.equal(await partyAtCharger('CARD-3'), undefined);
    t.match(await putCard(api, token, card), notYours);
  });

  await t.test('do not count when the hub speaks only for listed parties', async (t) => {
    t.match(await putCard(api, token, cardOf(italian, 'CARD-4')), done);
    const listed = { hubParties: 'LISTED', parties: [granted, hubParty] };
    t.match((await patchPartner(api, id, listed)).json['data'], listed);
    t.equal(await partyAtCharger('CARD-4'), undefined);
    t.match(await putCard(api, token, cardOf(italian, 'CARD-5')), notYours);
    t.match(await putCard(api, token, cardOf(french, 'CARD-5')), done);
    t.match(await patchPartner(api, id, { hubParties: 'ANY' }), { status: 200 });
    t.equal(await partyAtCharger('CARD-4'), 'IT');
  });

  await t.test('belong to the party that sent the request', async (t) => {
    const card = cardOf(italian, 'CARD-6');
    t.match(await putCard(api, token, card, from(french)), notYours);
    t.match(await putCard(api, token, card, from(italian)), done);
    t.match(await ocpi(api, token, { url: '/ocpi/cpo/2.2.1/tokens/IT/EMP/CARD-6', headers: from(french) }), {
      status: 404,
      json: { status_code: 2004 },
    });
    const list = await ocpi(api, token, { url: '/ocpi/cpo/2.2/tokens', headers: from(french) });
    const uids = (list.json['data'] as unknown as { uid: string }[]).map(({ uid }) => uid);
    t.strictSame(uids, ['CARD-1', 'CARD-5']);
    t.equal(list.headers['x-total-count'], '2');
  });

  await t.test('need the header of a party that the hub speaks for', async (t) => {
    const url = '/ocpi/cpo/2.2.1/sessions';
    const wrong = { json: { status_code: 2001, status_message: /OCPI-from-/ } };
    t.match(await ocpi(api, token, { url, headers: from({ country_code: 'AT', party_id: 'NEW' }) }), wrong);
    t.match(await ocpi(api, token, { url, headers: { 'ocpi-from-party-id': 'EMP' } }), wrong);
    const answer = await ocpi(api, token, {
      url,
      headers: { ...from(french), 'ocpi-to-country-code': 'NL', 'ocpi-to-party-id': 'CWY' },
    });
    t.match(answer, {
      status: 200,
      headers: {
        'ocpi-from-country-code': 'NL',
        'ocpi-from-party-id': 'CWY',
        'ocpi-to-country-code': 'FR',
        'ocpi-to-party-id': 'EMP',
      },
    });
    t.equal(
      (await ocpi(api, token, { url, headers: from({ country_code: 'NL', party_id: 'HUB' }) })).status,
      200,
    );
  });
});

void t.test('a uid belongs to one party of one hub', async (t) => {
  const api = await startTestApi(t);
  const { token } = await registerHub(t, api);
  const other = await registerHub(t, api, { name: 'Other', parties: [otherHub] }, otherHub);
  for (const as of [token, other.token]) {
    for (const party of [italian, french]) t.match(await putCard(api, as, cardOf(party, 'CARD-1')), done);
  }
  const key = await mintKey(api);
  const claims = async () => {
    const { json } = await api.call(key, { url: '/cpms/v1/ocpi-tokens?uid=CARD-1' });
    const tokens = json['data'] as unknown as {
      partnerName: string;
      countryCode: string;
      isOwner: boolean;
    }[];
    return tokens.map(({ partnerName, countryCode, isOwner }) => `${partnerName} ${countryCode} ${isOwner}`);
  };
  t.strictSame(await claims(), ['Hub IT true', 'Hub FR false', 'Other IT false', 'Other FR false']);
  const payload = { uid: 'CARD-1', ...granted };
  const chosen = await api.call(key, { method: 'POST', url: '/cpms/v1/ocpi-tokens/owner', payload });
  t.equal(chosen.status, 200, chosen.text);
  t.strictSame(await claims(), ['Hub FR true', 'Other FR false', 'Hub IT false', 'Other IT false']);
  t.match(await findRoamingToken(api.stores.sql, api.network.id, 'CARD-1'), { token: french });
});

void t.test('a partner that no operator marked as a hub sends tokens of its own parties only', async (t) => {
  const api = await startTestApi(t);
  const { token } = await registerHub(t, api, { hubParties: undefined });
  t.match(await putCard(api, token, cardOf(french, 'CARD-1')), notYours);
});

void t.test('pulls the tokens of the parties that a hub speaks for from the hub', async (t) => {
  const api = await startTestApi(t);
  const direct = await makePartner(api, { parties: [{ countryCode: 'BE', partyId: 'DIR' }] });
  const { id, token, hub } = await registerHub(t, api);
  hub.react('/ocpi/emsp/2.2.1/tokens', {
    body: enveloped([
      cardOf(french, 'PULLED-1'),
      cardOf({ country_code: 'BE', party_id: 'DIR' }, 'PULLED-2'),
      cardOf(italian, 'PULLED-3'),
    ]),
  });
  const stored = async () => {
    const { json } = await ocpi(api, token, { url: '/ocpi/cpo/2.2/tokens' });
    return items(json['data']).map(({ uid }) => uid as unknown as string);
  };
  await pullTokens(api.deps);
  t.strictSame(await stored(), ['PULLED-1', 'PULLED-3']);
  t.match(await hub.next('GET', '/ocpi/emsp/2.2.1/tokens'), {
    headers: { 'ocpi-to-country-code': 'NL', 'ocpi-to-party-id': 'HUB' },
  });

  await api.stores.sql`delete from ocpi_tokens`;
  await pullTokens(api.deps);
  t.strictSame(await stored(), [], 'is read once');
  t.match(await patchPartner(api, direct.id, { parties: [{ countryCode: 'BE', partyId: 'NEW' }] }), {
    status: 200,
  });
  await pullTokens(api.deps);
  t.strictSame(await stored(), ['PULLED-1', 'PULLED-2', 'PULLED-3'], 'the hub speaks for a withdrawn party');

  await api.stores.sql`delete from ocpi_tokens`;
  t.match(await patchPartner(api, id, { hubParties: 'LISTED', parties: [hubParty, granted] }), {
    status: 200,
  });
  await pullTokens(api.deps);
  t.strictSame(await stored(), ['PULLED-1']);

  const key = await mintKey(api, { unrestricted: true, networkIds: [] });
  t.match(await patchPartner(api, id, { hubParties: 'ANY' }), { status: 200 });
  await pullTokens(api.deps);
  await api.stores.sql`delete from ocpi_tokens`;
  t.match(await api.call(key, { method: 'DELETE', url: `${partners}/${direct.id}` }), { status: 200 });
  await pullTokens(api.deps);
  t.strictSame(await stored(), ['PULLED-1', 'PULLED-2', 'PULLED-3'], 'the direct partner is removed');
});
