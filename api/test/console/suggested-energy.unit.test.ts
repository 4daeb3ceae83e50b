import t from 'tap';
import { suggestEnergy } from '#api/console/src/pages/session/actions/suggested-energy.ts';

const time = [100, 200, 300, 400];

void t.test('suggests the last reading up to the plausible maximum', (t) => {
  t.strictSame(suggestEnergy(30, { time, sessionEnergyKwh: [1, 20, null, 900] }), { kwh: 20, readAt: 200 });
  t.end();
});

void t.test('suggests the plausible maximum without a plausible reading', (t) => {
  const maximum = { kwh: 30, readAt: null };
  t.strictSame(suggestEnergy(30, { time, sessionEnergyKwh: [0, 500, 700, 900] }), maximum);
  t.strictSame(suggestEnergy(30, { time, sessionEnergyKwh: null }), maximum);
  t.strictSame(suggestEnergy(30, undefined), maximum);
  t.end();
});
