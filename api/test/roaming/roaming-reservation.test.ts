import t from 'tap';
import { v211 } from '#api/services/roaming/wire/v211/serializer.ts';
import type { Cdr as StoredCdr } from '#api/services/roaming/wire/v221/cdr.ts';
import { v230 } from '#api/services/roaming/wire/v230/serializer.ts';
import { startPusher } from './support/pushing.ts';
import { cancelActiveReservation } from './support/reservations.ts';
import { items, type Json } from '#api/test/support/fixtures.ts';
import { seedToken } from '#shared/testing/seed.ts';
import { endDue, startPricedRig, startScene, text, token } from './support/partner-reservation.ts';

const minute = 60_000;

/** The dimensions of the periods of a session or a CDR. */
const dimensionsOf = (found: Json | undefined) =>
  items(found?.['charging_periods'] ?? {}).map(({ dimensions }) =>
    items(dimensions ?? {}).map(({ type }) => text(type)),
  );

void t.test('a partner sees a reservation as a session, which its use makes active', async (t) => {
  const rig = await startPricedRig(t);
  startPusher(t, rig);
  const { client, evseUids, reserve, session, cdrs, charger } = await startScene(t, rig, 'ocpp1.6');
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
    evse_uid: evseUids[0],
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
    start_date_time: timestamp,
    authorization_reference: reference,
  };
  t.match(await session(), [active]);
  await endDue(rig);
  const stop = { transactionId, meterStop: 20_000, timestamp: new Date().toISOString() };
  await client.call('StopTransaction', stop);
  const [completed] = await session();
  const total = { excl_vat: 6.5, incl_vat: 7.3 };
  t.match(completed, { id, status: 'COMPLETED', kwh: 20, start_date_time: timestamp, total_cost: total });
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
  const [stored] = await rig.stores.sql<{ document: StoredCdr }[]>`select document from cdrs`;
  t.match(v211.cdr(stored!.document), { start_date_time: timestamp, total_cost: 6.5 });
});

void t.test('a reservation of a partner', async (t) => {
  const rig = await startPricedRig(t);
  const { sql } = rig.stores;

  await t.test('has a CDR when it expires without use', async (t) => {
    const { reserve, session, cdrs } = await startScene(t, rig, 'ocpp2.0.1');
    await reserve(30, {});
    t.match(await session(), [{ status: 'RESERVATION', evse_uid: '#NA', connector_id: '#NA' }]);
    await sql`update reservations set expires_at = created_at + interval '25 minutes' where status = 'Active'`;
    await endDue(rig);
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

  await t.test('has a CDR until the partner cancels it', async (t) => {
    const { charger, command, reserve, session, cdrs } = await startScene(t, rig, 'ocpp1.6');
    await reserve(15);
    t.match(await command('CANCEL_RESERVATION', 'cancel', { reservation_id: `R-${charger.id}` }), {
      result: 'ACCEPTED',
    });
    await endDue(rig);
    t.match(await session(), [{ status: 'COMPLETED', total_cost: { excl_vat: 1 } }]);
    t.match(await cdrs(), [{ total_reservation_cost: { excl_vat: 1 } }]);
  });

  await t.test('has no CDR when an operator cancels it', async (t) => {
    const { reserve, session, cdrs } = await startScene(t, rig, 'ocpp1.6');
    await reserve(15);
    await cancelActiveReservation(sql);
    await endDue(rig);
    const [invalid] = await session();
    t.match(invalid, { status: 'INVALID', end_date_time: String });
    t.equal(invalid?.['total_cost'], undefined);
    t.same(await cdrs(), []);
  });

  await t.test('is billed apart when it moves to another EVSE, by the tariff there', async (t) => {
    const { charger, client, evseUids, reserve, reserveNow, session, cdrs } = await startScene(
      t,
      rig,
      'ocpp1.6',
    );
    const elements = [
      {
        price_components: [{ type: 'TIME', price: '6.00', vat: '20', step_size: 600 }],
        restrictions: { reservation: 'RESERVATION' },
      },
    ];
    await sql`
      with tariff as (
        insert into tariffs (network_id, name, currency, elements)
        values (${rig.network.id}, 'Second EVSE', 'EUR', ${sql.json(elements)}) returning id
      )
      insert into tariff_assignments (tariff_id, connector_id)
      select tariff.id, k.id from tariff, connectors k where k.charger_id = ${charger.id} and k.number = 2`;
    const { reservationId, idTag } = await reserve(15);
    await reserveNow('change', { evse_uid: evseUids[1] });
    const former = { status: 'COMPLETED', evse_uid: evseUids[0], total_cost: { excl_vat: 1 } };
    const changed = { evse_uid: evseUids[1], total_cost: { excl_vat: 1 } };
    t.match(await session(), [former, { ...changed, status: 'RESERVATION' }]);
    t.match(await cdrs(), [
      { total_reservation_cost: { excl_vat: 1 }, cdr_location: { evse_uid: evseUids[0] } },
    ]);
    const [ended] = await sql`
      select reservation_end as "end" from sessions where charger_id = ${charger.id} order by id limit 1`;
    t.match(ended, { end: 'CANCELLED' });

    const start = {
      connectorId: 2,
      idTag,
      meterStart: 0,
      timestamp: new Date().toISOString(),
      reservationId,
    };
    await client.call('StartTransaction', start);
    await endDue(rig);
    const all = await session();
    t.match(all, [former, { ...changed, status: 'ACTIVE' }]);
    t.equal(all.length, 2);
  });

  await t.test('is billed apart when it changes to another token', async (t) => {
    const { evseUids, reserve, reserveNow, session } = await startScene(t, rig, 'ocpp1.6');
    await reserve(15);
    await reserveNow('change', { evse_uid: evseUids[0], token: { ...token, uid: 'APP-2' } });
    t.match(await session(), [
      { status: 'COMPLETED', cdr_token: { uid: 'APP-1' } },
      { status: 'RESERVATION', cdr_token: { uid: 'APP-2' } },
    ]);
  });

  await t.test('keeps its session when only its expiry changes', async (t) => {
    const { evseUids, reserve, reserveNow, session } = await startScene(t, rig, 'ocpp1.6');
    const { at } = await reserve(15);
    await reserveNow('change', {
      evse_uid: evseUids[0],
      expiry_date: new Date(Date.now() + 90 * minute).toISOString(),
    });
    t.match(await session(), [{ status: 'RESERVATION', start_date_time: at.toISOString() }]);
    t.equal((await session()).length, 1);
  });
});

void t.test('a reservation of a partner is kept for its token and group', async (t) => {
  const rig = await startPricedRig(t);
  const { sql } = rig.stores;
  const { charger, client, evseUids, reserve, session } = await startScene(t, rig, 'ocpp1.6');
  const { reservationId, idTag } = await reserve(15, {
    evse_uid: evseUids[0],
    token: { ...token, group_id: 'FLEET-1' },
  });
  const start = (presented: string) =>
    client.call('StartTransaction', {
      connectorId: 1,
      idTag: presented,
      meterStart: 0,
      timestamp: new Date().toISOString(),
      reservationId,
    });
  const status = async () => {
    const [row] = await sql<{ status: string }[]>`
      select status from reservations where charger_id = ${charger.id}`;
    return row?.status;
  };
  const others = {
    unknown: 'CARD-OF-NOBODY',
    accepted: await seedToken(sql, rig.network.id),
    blocked: await seedToken(sql, rig.network.id, { isValid: false, groupId: 'FLEET-1' }),
  };
  for (const [title, presented] of Object.entries(others)) {
    await start(presented);
    await endDue(rig);
    t.equal(await status(), 'Active', title);
    t.match(await session(), [{ status: 'RESERVATION' }], title);
  }
  await start(idTag);
  t.equal(await status(), 'Used');
  t.match(await session(), [{ status: 'ACTIVE' }]);
  const again = await startScene(t, rig, 'ocpp1.6');
  const second = await again.reserve(15, {
    evse_uid: again.evseUids[0],
    token: { ...token, group_id: 'FLEET-1' },
  });
  const ofGroup = await seedToken(sql, rig.network.id, { groupId: 'FLEET-1' });
  await again.client.call('StartTransaction', {
    connectorId: 1,
    idTag: ofGroup,
    meterStart: 0,
    timestamp: new Date().toISOString(),
    reservationId: second.reservationId,
  });
  await endDue(rig);
  t.match(await again.session(), [{ status: 'COMPLETED' }], 'a card of the group');
});

void t.test('a partner of 2.1.1 does not pay for a reservation', async (t) => {
  const rig = await startPricedRig(t);
  const { sql } = rig.stores;
  await sql`update ocpi_partners set ocpi_version = '2.1.1'`;
  const { client, reserve, session } = await startScene(t, rig, 'ocpp1.6');
  const { reservationId, idTag } = await reserve(75);
  t.same(await session(), []);
  const timestamp = new Date(Date.now() - 60 * minute).toISOString();
  const started = {
    connectorId: 1,
    idTag,
    meterStart: 0,
    timestamp,
    reservationId,
  };
  const { transactionId } = (await client.call('StartTransaction', started)) as { transactionId: number };
  await client.call('StopTransaction', {
    transactionId,
    meterStop: 20_000,
    timestamp: new Date().toISOString(),
  });
  await endDue(rig);
  const all = await session();
  t.match(all, [{ status: 'COMPLETED', kwh: 20, total_cost: { excl_vat: 5.5 } }]);
  t.equal(all.length, 1);
});
