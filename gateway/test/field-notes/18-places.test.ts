import t from 'tap';
import { noSession } from '#shared/clickhouse/meter-samples.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { findCharger } from '#shared/postgres/fleet/charger-records.ts';
import { listConnectors } from '#shared/testing/connectors.ts';
import { dialects } from './support/dialect.ts';
import { charging, openScene } from './support/scene.ts';

/** A reading of this moment. */
function meterValue(value: unknown) {
  return [{ timestamp: new Date().toISOString(), sampledValue: [{ value }] }];
}

void t.test('field note 18: connector 0 and new connectors', async (t) => {
  const scene = await openScene(t);
  const { sql } = scene.rig.stores;

  for (const dialect of dialects) {
    const { version } = dialect;

    await t.test(`${version}: never assigns a session to connector 0`, async (t) => {
      const charger = await scene.charger();
      const socket = await scene.socket(charger, dialect);
      const said = charging(scene, { connector: 0 });
      t.match(await socket.call('s', ...dialect.start(said)), [3, 's', Object]);
      t.match(await scene.sessions(charger), [{ connectorNumber: 1 }]);
      t.match(await socket.call('f', ...dialect.status(0, 'Faulted')), [3, 'f', {}]);
      t.equal(
        (await findCharger(sql, allNetworks, charger.uuid))?.status,
        'Faulted',
        'the station is faulted',
      );
      t.match(
        await listConnectors(sql, [charger.id]),
        [{ number: 1, status: 'UNKNOWN' }],
        'and no connector 0',
      );
      const main =
        version === 'ocpp1.6'
          ? { connectorId: 0, meterValue: meterValue('999000') }
          : { evseId: 0, meterValue: meterValue(999_000) };
      t.match(await socket.call('m', 'MeterValues', main), [3, 'm', {}]);
      t.match(await scene.rig.storedSamples({ chargerId: charger.id, sessionId: noSession }), [
        { energyWh: 999_000 },
      ]);
    });

    await t.test(`${version}: creates a new connector once for concurrent messages`, async (t) => {
      await Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          const charger = await scene.charger();
          const said = charging(scene, { connector: 7, name: `race-${index}` });
          const old = await scene.socket(charger, dialect);
          // Two sockets that open within a millisecond may replace each other in either order.
          await old.call('settled', 'Heartbeat', {});
          const opening = scene.socket(charger, dialect);
          old.send(JSON.stringify([2, 'old', ...dialect.status(7, 'Available')]));
          const fresh = await opening;
          fresh.send(JSON.stringify([2, 'a', ...dialect.start(said)]));
          fresh.send(JSON.stringify([2, 'b', ...dialect.status(7, 'Available')]));
          t.match(await fresh.next(), [3, 'a', Object]);
          t.match(await fresh.next(), [3, 'b', Object]);
          t.same(
            (await listConnectors(sql, [charger.id])).map(({ number }) => number),
            [1, 7],
          );
          t.match(await scene.sessions(charger), [{ connectorNumber: 7 }]);
        }),
      );
    });
  }
});
