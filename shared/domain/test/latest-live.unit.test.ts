import t from 'tap';
import { type SampledValue, toMeterSamples } from '#shared/domain/charging/meter-sample.ts';
import { latestLive } from '#shared/domain/commands/charger-messages.ts';

const time = new Date('2026-03-10T12:00:00Z');
const at = { time, receivedAt: time, saidTime: null, flags: [] };

function liveOf(...sent: Partial<SampledValue>[]) {
  const values = sent.map((value) => ({
    value: '1000',
    measurand: 'Energy.Active.Import.Register',
    unit: 'Wh',
    context: 'Sample.Periodic',
    ...value,
  }));
  const samples = toMeterSamples(values, at, []);
  const position = { evse: 1, connector: 1 };
  return latestLive({ position, transactionId: null, samples, signed: [] });
}

const interval = { measurand: 'Energy.Active.Import.Interval' };

void t.test('returns live values for a register', (t) => {
  t.match(liveOf({}), { energyRegisterWh: 1000, time });
  t.end();
});

void t.test('returns live values for an interval', (t) => {
  t.match(liveOf(interval), { energyRegisterWh: null, time });
  t.match(liveOf(interval, { ...interval, context: 'Sample.Clock' }), { time }, 'in two rows');
  t.end();
});

void t.test('returns live values for energy that was set aside', (t) => {
  t.match(liveOf({ value: 'broken' }), { energyRegisterWh: null, time });
  t.end();
});

void t.test('returns null for other measurands', (t) => {
  t.equal(liveOf({ measurand: 'Frequency', unit: 'Hz' }), null);
  t.end();
});
