import t from 'tap';
import { inAnHour, keepsReservations, saidYes, startRig, token } from './support/command-rig.ts';
import { startEmsp } from './support/emsp.ts';
import { cardOf } from './support/hub.ts';
import { ocpi, registerEmsp } from './support/partner.ts';
import { findAuthorization } from '#shared/postgres/roaming/ocpi-authorizations.ts';

void t.test('tokens of two partners with one uid have two texts at a charger', async (t) => {
  const rig = await startRig(t);
  const { api, place, taken } = rig;
  const { sql } = api.stores;
  const party = { countryCode: 'FR', partyId: 'TWO' };
  const other = await registerEmsp(api, await startEmsp(t, party), { party });
  let id = 0;
  /** Sends a command as a partner; returns the text of the token that the charger receives. */
  const textFor = async (as: string, uid: string, command = 'START_SESSION', more: object = {}) => {
    id += 1;
    const body = {
      location_id: place.locationId,
      evse_uid: place.evseUids[0],
      token: { ...token, uid },
      ...more,
    };
    t.match(await rig.send(command, `c${id}`, body, as), saidYes);
    await rig.result(`c${id}`);
    const sent = taken.at(-1)?.command;
    if (sent?.type === 'remote-start') return sent.idToken;
    if (sent?.type === 'reserve-now') return sent.token.idToken;
    throw new Error(JSON.stringify(sent));
  };
  const ownerOf = async (text: string) =>
    (await findAuthorization(sql, place.charger.id, text, true))?.token.party_id;
  const uids = {
    'that is too long for 1.6': '8c1b5dbe-62fc-4b0e-9b51-77a7f7c3b1aa',
    'of 5 characters': 'APP-1',
  };
  for (const [kind, uid] of Object.entries(uids)) {
    const ours = await textFor(rig.partner, uid);
    const theirs = await textFor(other.token, uid);
    t.not(ours, theirs, kind);
    t.equal(await ownerOf(ours), 'EMS', kind);
    t.equal(await ownerOf(theirs), 'TWO', kind);
    t.equal(await textFor(rig.partner, uid), ours, `${kind}, again`);
    t.equal(await textFor(other.token, uid), theirs, `${kind}, again`);
  }

  await t.test('a start uses the text of the reservation', async (t) => {
    rig.answer(keepsReservations(sql, place.charger.id));
    const reservation = { reservation_id: 'R-1', expiry_date: inAnHour() };
    t.equal(await textFor(rig.partner, 'APP-2', 'RESERVE_NOW', reservation), 'APP-2');
    const url = '/ocpi/cpo/2.2.1/tokens/FR/TWO/APP-2';
    const payload = cardOf({ country_code: 'FR', party_id: 'TWO' }, 'APP-2');
    t.match(await ocpi(api, other.token, { method: 'PUT', url, payload }), { status: 201 });
    t.equal(await textFor(rig.partner, 'APP-2'), 'APP-2');
    t.not(await textFor(other.token, 'APP-2'), 'APP-2');
  });

  await t.test('a token of ours with the uid keeps the text of a command apart', async (t) => {
    t.equal(await textFor(rig.partner, 'APP-3'), 'APP-3');
    await sql`insert into id_tokens (network_id, uid, type) values (${api.network.id}, 'APP-3', 'RFID')`;
    t.not(await textFor(rig.partner, 'APP-3'), 'APP-3');
  });
});
