import t from 'tap';
import { noSession } from '#shared/clickhouse/meter-samples.ts';
import { storeMeterOverrides } from '#shared/postgres/fleet/meter-overrides.statements.ts';
import { until } from '#shared/testing/until.ts';
import type { RawCharger } from '#gateway/test/support/raw-charger.ts';
import { type Charging, dialects, type Dialect } from './support/dialect.ts';
import { after, charging, openScene, start } from './support/scene.ts';

interface Value {
  value: number;
  measurand?: string;
  unit?: string;
  more?: object;
}

/** Readings of a running session, each of its own second, as its version says them. */
function readings(
  { version }: Dialect,
  transactionId: string | number,
  startedAt: Date,
  values: (Value | null)[],
): [string, Record<string, unknown>] {
  const is16 = version === 'ocpp1.6';
  const meterValue = values.map((said, index) => {
    const timestamp = new Date(startedAt.getTime() + (index + 1) * 1000).toISOString();
    if (said === null) return { timestamp, sampledValue: [] };
    const { value, unit, more, measurand } = said;
    const unitOf = is16 ? { unit } : { unitOfMeasure: unit === undefined ? undefined : { unit } };
    return {
      timestamp,
      sampledValue: [{ value: is16 ? String(value) : value, measurand, ...unitOf, ...more }],
    };
  });
  if (is16) return ['MeterValues', { connectorId: 1, transactionId, meterValue }];
  return [
    'TransactionEvent',
    {
      eventType: 'Updated',
      timestamp: startedAt.toISOString(),
      triggerReason: 'MeterValuePeriodic',
      seqNo: 1,
      transactionInfo: { transactionId },
      meterValue,
    },
  ];
}

void t.test('field notes 14 to 16: irregular readings', async (t) => {
  const scene = await openScene(t);

  const begin = async (dialect: Dialect, more: Partial<Charging> = {}) => {
    const charger = await scene.charger();
    const socket: RawCharger = await scene.socket(charger, dialect);
    const said = charging(scene, more);
    const transaction = await start(socket, dialect, said);
    const send = (values: (Value | null)[]) =>
      socket.call('m', ...readings(dialect, transaction, said.startedAt, values));
    const samples = async () => {
      const [session] = await scene.sessions(charger);
      const key = { chargerId: charger.id, sessionId: session?.uuid ?? '' };
      const all = await scene.rig.storedSamples(key);
      return all.filter(({ context }) => context !== 'Transaction.Begin');
    };
    return { charger, socket, said, transaction, send, samples };
  };

  /** A model of the catalog that goes by the names with which the scripted chargers boot. */
  const { sql } = scene.rig.stores;
  const [model] = await sql<{ id: number }[]>`
    with v as (insert into manufacturers (name) values ('v') returning id)
    insert into charger_models (manufacturer_id, model_name, ocpp_version) select id, 'm', '1.6' from v returning id`;
  const override = { firmware: null, saidUnit: null, unit: 'kWh', factor: 1, phases: null };

  for (const dialect of dialects) {
    const { version } = dialect;

    await t.test(`14, ${version}: stores, flags and acknowledges unknown measurands`, async (t) => {
      const { send, samples } = await begin(dialect);
      const answer = await send([
        { value: 1, measurand: 'Vendor.Mood', unit: 'smile' },
        { value: 2, measurand: 'Power.Active.Import', unit: 'horse' },
        { value: 3000, more: { context: 'Vendor.Whim', vendorField: { deep: [1] } } },
        { value: 4000, more: { phase: 'L7', location: 'Roof' } },
        { value: 5, measurand: 'constructor', unit: '__proto__' },
      ]);
      t.same(answer, [3, 'm', {}]);
      t.match(await samples(), [
        { energyWh: null, extra: { 'Vendor.Mood smile': '1' } },
        { powerW: null, extra: { 'Power.Active.Import horse': '2' }, flags: ['unit-unknown'] },
        { energyWh: 3000, context: 'Vendor.Whim' },
        { energyWh: null, extra: { 'Energy.Active.Import.Register@Roof.L7': '4000' } },
        { energyWh: null, extra: { 'constructor __proto__': '5' } },
      ]);
    });

    await t.test(
      `15, ${version}: applies the standard's defaults and reads Celcius as Celsius`,
      async (t) => {
        const { send, samples } = await begin(dialect);
        t.same(
          await send([
            { value: 1500 },
            { value: 1600, unit: 'Wh' },
            { value: 1.7, unit: 'kWh' },
            { value: 1800, measurand: 'Energy.Active.Import.Register' },
            null,
            { value: 21, measurand: 'Temperature', unit: 'Celcius' },
            { value: 22, measurand: 'Temperature' },
            { value: 7, measurand: 'Power.Active.Import', unit: 'kW' },
          ]),
          [3, 'm', {}],
        );
        const rows = await samples();
        t.same(
          rows.map(({ energyWh, temperatureC, powerW }) => [energyWh, temperatureC, powerW]),
          [
            [1500, null, null],
            [1600, null, null],
            [1700, null, null],
            [1800, null, null],
            [null, 21, null],
            [null, 22, null],
            [null, null, 7000],
          ],
        );
        t.same(
          rows.flatMap(({ flags }) => flags),
          [],
        );
      },
    );

    await t.test(
      `15, ${version}: corrects a register in kWh labelled as Wh by the override of its model`,
      async (t) => {
        const charger = await scene.charger();
        const socket = await scene.socket(charger, dialect);
        await socket.call('boot', ...dialect.boot);
        let probes = 0;
        /** A reading that belongs to no session, as it was stored. */
        const probe = async () => {
          probes += 1;
          const timestamp = new Date(Date.now() - 1000).toISOString();
          const place = version === 'ocpp1.6' ? { connectorId: 1 } : { evseId: 1 };
          const value = version === 'ocpp1.6' ? '7' : 7;
          const meterValue = [{ timestamp, sampledValue: [{ value }] }];
          const answer = await socket.call(`probe-${probes}`, 'MeterValues', { ...place, meterValue });
          if (answer[0] !== 3) throw new Error(JSON.stringify(answer));
          const stored = await scene.rig.storedSamples({ chargerId: charger.id, sessionId: noSession });
          return stored.find(({ time }) => time === timestamp);
        };
        t.match(await probe(), { energyWh: 7, flags: { length: 0 } });

        const wrong = ['Energy.Active.Import.Register', 'meterStart', 'meterStop'];
        const overrides = wrong.map((measurand) => ({ ...override, measurand }));
        await storeMeterOverrides(sql, model?.id ?? 0, overrides);
        await until('a shard that heard of it', async () => (await probe())?.energyWh === 7000);
        t.match(await probe(), { energyWh: 7000, flags: ['meter-overridden'] });

        const said = charging(scene, { meterStartWh: 10 });
        const transaction = await start(socket, dialect, said);
        const reading = { at: after(said, 300), registerWh: 11 };
        await socket.call('meter', ...dialect.meter(said, transaction, [reading], 1));
        const end = { at: after(said, 600), registerWh: 12.5 };
        if (version === 'ocpp1.6') end.registerWh = 12;
        await socket.call('stop', ...dialect.stop(said, transaction, end, 2));
        const [session] = await scene.sessions(charger);
        t.match(session, {
          meterStartWh: 10_000,
          energyWh: end.registerWh * 1000 - 10_000,
          status: 'COMPLETED',
        });

        await storeMeterOverrides(sql, model?.id ?? 0, []);
        await until('a shard that heard of it', async () => (await probe())?.energyWh === 7);
      },
    );

    await t.test(
      `16, ${version}: bills no negative energy when the register ends below its start`,
      async (t) => {
        const { charger, socket, said, transaction } = await begin(dialect);
        const stop = dialect.stop(said, transaction, { at: after(said, 600), registerWh: 400 }, 2);
        t.match(await socket.call('stop', ...stop), [3, 'stop', Object]);
        const [session] = await scene.sessions(charger);
        t.equal(session?.status, 'COMPLETED');
        t.ok((session?.energyWh ?? -1) >= 0);
        t.ok(Number(session?.cost?.totalInclVatMinor) >= 0);
        t.not(session?.flags.length, 0, 'and the session says so');
      },
    );

    await t.test(`16, ${version}: ignores a register below 0`, async (t) => {
      const { charger, socket, said, transaction } = await begin(dialect, { meterStartWh: -1 });
      const readings = [-1, 5_000_000].map((registerWh, n) => ({
        at: after(said, 60 + n * 60),
        registerWh,
      }));
      await socket.call('meter', ...dialect.meter(said, transaction, readings, 1));
      const end = { at: after(said, 600), registerWh: 5_002_000 };
      t.match(await socket.call('stop', ...dialect.stop(said, transaction, end, 2)), [3, 'stop', Object]);
      const [session] = await scene.sessions(charger);
      t.match(session, { meterStartWh: 5_000_000, energyWh: 2000, priceState: 'REVIEW' });
      for (const flag of ['energy-values-set-aside', 'meter-start-missing'])
        t.ok(session?.flags.includes(flag));
    });

    await t.test(`16, ${version}: accepts a stop with an impossible register`, async (t) => {
      // The last is -1 in a field of 32 bits without a sign.
      for (const registerWh of [3.4028235e38, Number.MAX_VALUE, 2 ** 32 - 1]) {
        const { charger, socket, said, transaction } = await begin(dialect);
        const end = { at: after(said, 600), registerWh };
        t.match(await socket.call('stop', ...dialect.stop(said, transaction, end, 2)), [3, 'stop', Object]);
        const [session] = await scene.sessions(charger);
        t.match(session, { status: 'COMPLETED', meterStopWh: null, energyWh: 0, priceState: 'REVIEW' });
        t.ok(session?.flags.includes('meter-stop-missing'));
      }
    });
  }
});
