import t, { type Test } from 'tap';
import { makeDueCdrs } from '#api/jobs/cdrs.ts';
import { endReservations } from '#api/jobs/reservation-expiry.ts';
import { v211 } from '#api/services/roaming/wire/v211/serializer.ts';
import type { Cdr as StoredCdr } from '#api/services/roaming/wire/v221/cdr.ts';
import { v230 } from '#api/services/roaming/wire/v230/serializer.ts';
import { seedPlace } from '#api/test/roaming/support/place.ts';
import { startPusher } from '#api/test/roaming/support/pushing.ts';
import { cancelActiveReservation } from '#api/test/roaming/support/reservations.ts';
import { Cdr, Session } from '#api/test/roaming/support/standard/charged.ts';
import { misfits } from '#api/test/roaming/support/standard/shape.ts';
import { items, type Json } from '#api/test/support/fixtures.ts';
import { answerCalls } from '#gateway/test/support/answering.ts';
import type { Version } from '#gateway/test/support/rig.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { reservationElements } from './support/reservation-tariff.ts';
import { type RoamingRig, startRoamingRig } from './support/roaming.ts';

const minute = 60_000;
const log = createLogger('test', 'silent');
const text = (json: Json | undefined) => json as unknown as string;
const token = { uid: 'APP-1', type: 'APP_USER', contract_id: 'DE8ACC12E46L89' };

/** A charger of this version at a location of its own, and the commands and the view of the partner. */
async function startScene(t: Test, rig: RoamingRig, version: Version) {
  const { sql } = rig.stores;
  const { charger, client } = await rig.connect(version);
  answerCalls(client, () => ({ status: 'Accepted' }));
  const { locationId, evseUids } = await seedPlace(sql, rig.network.id, { charger });
  const command = async (name: string, id: string, body: object) => {
    const responseUrl = `${rig.emsp.url}/results/${charger.id}${id}`;
    const path = `/cpo/2.2/commands/${name}/${charger.id}${id}`;
    const answer = await rig.ask('POST', path, { response_url: responseUrl, ...body });
    if (text(answer['result']) !== 'ACCEPTED') throw new Error(JSON.stringify(answer));
    return (await rig.emsp.next('POST', new URL(responseUrl).pathname)).body;
  };
  /** Reserves for the partner, and moves the reservation this many minutes into the past. */
  const reserve = async (minutesAgo: number, evse: object = { evse_uid: evseUids[0] }) => {
    const result = await command('RESERVE_NOW', 'reserve', {
      location_id: locationId,
      token,
      reservation_id: `R-${charger.id}`,
      expiry_date: new Date(Date.now() + 60 * minute).toISOString(),
      authorization_reference: `REF-${charger.id}`,
      ...evse,
    });
    if (text(result['result']) !== 'ACCEPTED') throw new Error(JSON.stringify(result));
    const at = new Date(Date.now() - minutesAgo * minute);
    await sql`update reservations set created_at = ${at} where charger_id = ${charger.id}`;
    await sql`
      update sessions set reserved_at = ${at}, started_at = ${at} where charger_id = ${charger.id}`;
    const [row] = await sql<{ reservationId: number; idTag: string }[]>`
      select reservation_id as "reservationId", id_token as "idTag" from reservations where charger_id = ${charger.id}`;
    return { ...row!, at };
  };
  const session = async () => {
    const all = items(await rig.ask('GET', '/cpo/2.2.1/sessions'));
    const own = all.filter((found) => text(found['location_id']) === locationId);
    for (const found of own) t.same(misfits(found, Session), []);
    return own;
  };
  const cdrs = async () => {
    await makeDueCdrs({ ...rig.deps, log });
    const all = items(await rig.ask('GET', '/cpo/2.2.1/cdrs'));
    const own = all.filter((found) => text(found['cdr_location']?.['id']) === locationId);
    for (const found of own) t.same(misfits(found, Cdr), []);
    return own;
  };
  return { charger, client, evseUid: evseUids[0], command, reserve, session, cdrs };
}

const end = ({ stores: { sql } }: RoamingRig) => endReservations({ sql, log });

/** The dimensions of the periods of a session or a CDR. */
const dimensionsOf = (found: Json | undefined) =>
  items(found?.['charging_periods'] ?? {}).map(({ dimensions }) =>
    items(dimensions ?? {}).map(({ type }) => text(type)),
  );

async function startPricedRig(t: Test): Promise<RoamingRig> {
  const rig = await startRoamingRig(t);
  await seedTariff(rig.stores.sql, rig.network.id, reservationElements);
  return rig;
}

void t.test('a partner sees a reservation as a session, which its use makes active', async (t) => {
  const rig = await startPricedRig(t);
  startPusher(t, rig);
  const { client, evseUid, reserve, session, cdrs, charger } = await startScene(t, rig, 'ocpp1.6');
  const { reservationId, idTag, at } = await reserve(75);
  const [reserved] = await session();
  const reference = `REF-${charger.id}`;
  t.match(reserved, {
    status: 'RESERVATION',
    start_date_time: at.toISOString(),
    end_date_time: undefined,
    kwh: 0,
    cdr_token: token,
    auth_method: 'COMMAND',
    authorization_reference: reference,
    evse_uid: evseUid,
    connector_id: '1',
    total_cost: { excl_vat: 4, incl_vat: 4.8 },
  });
  t.same(dimensionsOf(reserved), [['RESERVATION_TIME']]);
  const id = text(reserved?.['id']);
  const path = `/ocpi/emsp/2.2.1/sessions/NL/CWY/${id}`;
  t.match((await rig.emsp.next('PUT', path)).body, { id, status: 'RESERVATION' });

  const timestamp = new Date(Date.now() - 60 * minute).toISOString();
  const started = { connectorId: 1, idTag, meterStart: 0, timestamp, reservationId };
  const { transactionId } = (await client.call('StartTransaction', started)) as { transactionId: number };
  const active = {
    id,
    status: 'ACTIVE',
    start_date_time: at.toISOString(),
    authorization_reference: reference,
  };
  t.match(await session(), [active]);
  await end(rig);
  const stop = { transactionId, meterStop: 20_000, timestamp: new Date().toISOString() };
  await client.call('StopTransaction', stop);
  const [completed] = await session();
  t.match(completed, { id, status: 'COMPLETED', kwh: 20, total_cost: { excl_vat: 6.5, incl_vat: 7.3 } });
  t.same(dimensionsOf(completed)[0], ['RESERVATION_TIME']);

  const [cdr, ...others] = await cdrs();
  t.same(others, []);
  t.match(cdr, {
    session_id: id,
    start_date_time: at.toISOString(),
    authorization_reference: reference,
    total_cost: { excl_vat: 6.5, incl_vat: 7.3 },
    total_reservation_cost: { excl_vat: 1, incl_vat: 1.2 },
    total_fixed_cost: { excl_vat: 0.5 },
    total_energy_cost: { excl_vat: 5 },
    tariffs: [
      {
        elements: [
          { restrictions: { reservation: 'RESERVATION_EXPIRES' } },
          { restrictions: { reservation: 'RESERVATION' } },
          {},
        ],
      },
    ],
  });
  t.same(dimensionsOf(cdr)[0], ['RESERVATION_TIME']);
});

void t.test('a partner gets a CDR of a reservation that was not used', async (t) => {
  const rig = await startPricedRig(t);
  const { sql } = rig.stores;

  await t.test('when it expires', async (t) => {
    const { reserve, session, cdrs } = await startScene(t, rig, 'ocpp2.0.1');
    await reserve(30, {});
    t.match(await session(), [{ status: 'RESERVATION', evse_uid: '#NA', connector_id: '#NA' }]);
    await sql`update reservations set expires_at = created_at + interval '25 minutes' where status = 'Active'`;
    await end(rig);
    const total = { excl_vat: 3, incl_vat: 3.6 };
    t.match(await session(), [{ status: 'COMPLETED', kwh: 0, total_cost: total, evse_uid: '#NA' }]);
    const [cdr] = await cdrs();
    t.match(cdr, {
      total_cost: total,
      total_reservation_cost: total,
      total_energy: 0,
      total_time: 0,
      cdr_location: { evse_uid: '#NA', evse_id: '#NA', connector_id: '#NA' },
    });
    t.same(dimensionsOf(cdr), [['RESERVATION_TIME']]);

    const [stored] = await sql<{ document: StoredCdr }[]>`select document from cdrs order by id desc limit 1`;
    const taxed = { before_taxes: 3, taxes: [{ amount: 0.6 }] };
    t.match(v230.cdr(stored!.document), { total_reservation_cost: taxed });
    t.match(v211.cdr(stored!.document), {
      total_cost: 3,
      charging_periods: [{ dimensions: [{ type: 'TIME', volume: 0 }] }],
      total_reservation_cost: undefined,
    });
  });

  await t.test('when the partner cancels it, until then', async (t) => {
    const { charger, command, reserve, session, cdrs } = await startScene(t, rig, 'ocpp1.6');
    await reserve(15);
    t.match(await command('CANCEL_RESERVATION', 'cancel', { reservation_id: `R-${charger.id}` }), {
      result: 'ACCEPTED',
    });
    await end(rig);
    t.match(await session(), [{ status: 'COMPLETED', total_cost: { excl_vat: 1 } }]);
    t.match(await cdrs(), [{ total_reservation_cost: { excl_vat: 1 } }]);
  });

  await t.test('but none when an operator cancels it', async (t) => {
    const { reserve, session, cdrs } = await startScene(t, rig, 'ocpp1.6');
    await reserve(15);
    await cancelActiveReservation(sql);
    await end(rig);
    const [invalid] = await session();
    t.match(invalid, { status: 'INVALID', end_date_time: String });
    t.equal(invalid?.['total_cost'], undefined);
    t.same(await cdrs(), []);
  });
});
