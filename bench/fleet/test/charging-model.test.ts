import t from 'tap';
import { ChargingModel, supplies } from '#bench/fleet/charging-model.ts';
import { createRandom } from '#bench/fleet/random.ts';

const car = (supply: (typeof supplies)[keyof typeof supplies], seed = 7, soc = 20) =>
  new ChargingModel({ supply, batteryWh: 60_000, initialSocPercent: soc, random: createRandom(seed) });

const curve = (seed: number) => {
  const model = car(supplies.dc150, seed);
  return Array.from({ length: 20 }, () => model.advance(60));
};

void t.test('the same seed gives the same curve, another seed another', async (t) => {
  t.same(curve(7), curve(7));
  t.notSame(curve(7), curve(8));
});

for (const [name, supply] of Object.entries(supplies)) {
  void t.test(
    `${name}: power rises, stays, falls above 80 % and ends when the battery is full`,
    async (t) => {
      const model = car(supply);
      const rising = [model.advance(2).powerW, model.advance(2).powerW, model.advance(60).powerW];
      t.ok((rising[0] ?? 0) < (rising[1] ?? 0) && (rising[1] ?? 0) < (rising[2] ?? 0));
      let state = model.advance(60);
      const limit = Math.min(supply.maxPowerW, 150_000);
      while (state.socPercent < 80) {
        t.ok(state.powerW <= limit && state.powerW > 0.97 * limit);
        state = model.advance(30);
      }
      let before = state.powerW * 1.03;
      while (!model.full) {
        state = model.advance(600);
        t.ok(state.powerW <= before * 1.02, 'it never rises again');
        before = state.powerW;
      }
      state = model.advance(600);
      t.equal(state.powerW, 0);
      t.ok(state.socPercent > 99.9 && state.socPercent <= 100);
    },
  );

  void t.test(`${name}: energy is the integral of power, current follows power`, async (t) => {
    const model = car(supply);
    let integralWh = 0;
    let last = model.advance(0);
    for (let step = 0; step < 400 && !model.full; step++) {
      const state = model.advance(5);
      integralWh += (((last.powerW + state.powerW) / 2) * 5) / 3600;
      t.ok(Math.abs(state.energyWh - integralWh) < 1e-6 * integralWh + 1e-6);
      t.ok(
        Math.abs(state.currentA * state.voltageV * supply.phases - state.powerW) < 1e-6 * supply.maxPowerW,
      );
      if (supply.kind === 'ac') t.ok(state.voltageV > 225 && state.voltageV < 235);
      last = state;
    }
  });
}

void t.test('numbers are spread over the whole range', async (t) => {
  const random = createRandom(1);
  const buckets = Array.from({ length: 10 }, () => 0);
  for (let i = 0; i < 10_000; i++) {
    const bucket = Math.floor(random() * 10);
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
  }
  t.ok(buckets.every((count) => count > 850 && count < 1150));
});
