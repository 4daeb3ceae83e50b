import t from 'tap';
import { credentialsOf, ocpi } from './support/partner.ts';
import { mintKey } from '#api/test/support/fixtures.ts';
import { endDue, startPricedRig, startScene } from './support/partner-reservation.ts';

void t.test(
  'removes the reservations of a partner that loses its rights, and refuses their starts',
  async (t) => {
    const rig = await startPricedRig(t);
    const { sql } = rig.stores;
    const key = await mintKey(rig, { unrestricted: true, networkIds: [] });
    const at = `/cpms/v1/ocpi-partners/${rig.partner.id}`;
    const operate = async (method: 'PATCH' | 'POST' | 'DELETE', url: string, payload?: object) => {
      const answer = await rig.call(key, { method, url, ...(payload !== undefined && { payload }) });
      if (answer.status !== 200) throw new Error(answer.text);
      return answer.json['data'];
    };
    const register = async () => {
      const { registrationToken } = (await operate('POST', `${at}/registration-token`)) as never;
      const payload = credentialsOf(rig.emsp);
      const answer = await ocpi(rig, registrationToken, {
        method: 'POST',
        url: '/ocpi/2.2.1/credentials',
        payload,
      });
      rig.partner.token = answer.json['data']?.['token'] as never;
    };
    const granted = [{ countryCode: 'DE', partyId: 'EMS' }];
    const losses: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
      [
        'it is suspended',
        () => operate('PATCH', at, { isSuspended: true }),
        () => operate('PATCH', at, { isSuspended: false }),
      ],
      [
        'its party is withdrawn',
        () => operate('PATCH', at, { parties: [{ countryCode: 'DE', partyId: 'TWO' }] }),
        async () => {
          await operate('PATCH', at, { parties: granted });
          await register();
        },
      ],
      ['its registration ends', () => operate('POST', `${at}/unregister`, {}), register],
      ['it is removed', () => operate('DELETE', at), () => Promise.resolve()],
    ];
    for (const [loss, lose, restore] of losses) {
      const { client, reserve, charger } = await startScene(t, rig, 'ocpp1.6');
      const { reservationId, idTag } = await reserve(10);
      await lose();
      const [stored] = await sql`select status from reservations where charger_id = ${charger.id}`;
      t.match(stored, { status: 'Removed' }, loss);
      await endDue(rig);
      const [session] =
        await sql`select status, cost_minor as cost from sessions where charger_id = ${charger.id}`;
      t.match(session, { status: 'INVALID', cost: null }, loss);
      const start = {
        connectorId: 1,
        idTag,
        meterStart: 0,
        timestamp: new Date().toISOString(),
        reservationId,
      };
      t.match(await client.call('StartTransaction', start), { idTagInfo: { status: 'Invalid' } }, loss);
      await restore();
    }
  },
);
