import type { Test } from 'tap';
import { makeDueCdrs } from '#api/jobs/cdrs.job.ts';
import { endReservations } from '#api/jobs/reservation-expiry.ts';
import { seedPlace } from './place.ts';
import { Cdr, Session } from './standard/charged.ts';
import { misfits } from './standard/shape.ts';
import { items, type Json } from '#api/test/support/fixtures.ts';
import { answerCalls } from '#gateway/test/support/answering.ts';
import type { Version } from '#gateway/test/support/rig.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { reservationElements } from '#api/test/support/reservation-tariff.ts';
import { type RoamingRig, startRoamingRig } from './roaming-rig.ts';

const minute = 60_000;
const log = createLogger('test', 'silent');
/** Casts a value of an answer to a string. */
export const text = (json: Json | undefined) => json as unknown as string;
/** Token of the partner's app. */
export const token = { uid: 'APP-1', type: 'APP_USER', contract_id: 'DE8ACC12E46L89' };

/** A charger of this version at a location of its own, and the commands and the view of the partner. */
export async function startScene(t: Test, rig: RoamingRig, version: Version) {
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
  /** Reserves for the partner, or changes its reservation. */
  const reserveNow = async (id: string, more: object) => {
    const result = await command('RESERVE_NOW', id, {
      location_id: locationId,
      token,
      reservation_id: `R-${charger.id}`,
      expiry_date: new Date(Date.now() + 60 * minute).toISOString(),
      authorization_reference: `REF-${charger.id}`,
      ...more,
    });
    if (text(result['result']) !== 'ACCEPTED') throw new Error(JSON.stringify(result));
  };
  /** Reserves for the partner, and moves the reservation this many minutes into the past. */
  const reserve = async (minutesAgo: number, evse: object = { evse_uid: evseUids[0] }) => {
    await reserveNow('reserve', evse);
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
  return { charger, client, evseUids, command, reserve, reserveNow, session, cdrs };
}

/** Ends the reservations whose time is over, and their sessions. */
export const endDue = ({ stores: { sql } }: RoamingRig) => endReservations({ sql, log });

/** Starts a rig whose tariff prices reservations. */
export async function startPricedRig(t: Test): Promise<RoamingRig> {
  const rig = await startRoamingRig(t);
  await seedTariff(rig.stores.sql, rig.network.id, reservationElements);
  return rig;
}
