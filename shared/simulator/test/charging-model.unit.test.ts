import t from 'tap';
import { ChargingModel, type ChargingState, supplies } from '#shared/simulator/charging-model.ts';
import { createRandom } from '#shared/simulator/random.ts';

const car = (supply: (typeof supplies)[keyof typeof supplies], seed = 7, soc = 20) =>
  new ChargingModel({ supply, batteryWh: 60_000, initialSocPercent: soc, random: createRandom(seed) });

/** Advances a model in steps of so many seconds until its battery is full. */
function statesOf(model: ChargingModel, stepSeconds: number): ChargingState[] {
  const states: ChargingState[] = [];
  while (!model.full) states.push(model.advance(stepSeconds));
  return states;
}

const curve = (seed: number) => {
  const model = car(supplies.dc150, seed);
  return Array.from({ length: 20 }, () => model.advance(60));
};

void t.test('the same seed gives the same curve, another seed another curve', async (t) => {
  t.same(curve(7), curve(7));
  t.notSame(curve(7), curve(8));
});

for (const [name, supply] of Object.entries(supplies)) {
  const limitW = Math.min(supply.maxPowerW, 150_000);

  void t.test(`${name}: power rises in the first minute`, async (t) => {
    const model = car(supply);
    const [first, second, third] = [model.advance(2), model.advance(2), model.advance(60)];
    t.ok(first.powerW < second.powerW && second.powerW < third.powerW);
  });

  void t.test(`${name}: power stays within 3 % of the limit until the battery is at 80 %`, async (t) => {
    const states = statesOf(car(supply), 30).filter(({ socPercent }) => socPercent < 80);
    const settled = states.slice(3);
    t.ok(settled.length > 10);
    t.same(
      settled.filter(({ powerW }) => powerW > limitW || powerW <= 0.97 * limitW),
      [],
    );
  });

  void t.test(`${name}: power falls above 80 % and ends when the battery is full`, async (t) => {
    const model = car(supply, 7, 80);
    const falling = statesOf(model, 600).slice(1);
    const rises = falling.filter(
      ({ powerW }, index) => powerW > (falling[index - 1]?.powerW ?? limitW) * 1.02,
    );
    t.same(rises, []);
    const full = model.advance(600);
    t.equal(full.powerW, 0);
    t.ok(full.socPercent > 99.9 && full.socPercent <= 100);
  });

  void t.test(`${name}: energy is the integral of power`, async (t) => {
    const model = car(supply);
    let last = model.advance(0);
    let integralWh = 0;
    const deviations = statesOf(model, 5).filter((state) => {
      integralWh += (((last.powerW + state.powerW) / 2) * 5) / 3600;
      last = state;
      return Math.abs(state.energyWh - integralWh) >= 1e-6 * integralWh + 1e-6;
    });
    t.same(deviations, []);
  });

  void t.test(`${name}: current and voltage make the power`, async (t) => {
    const deviations = statesOf(car(supply), 5).filter(
      ({ powerW, currentA, voltageV }) =>
        Math.abs(currentA * voltageV * supply.phases - powerW) >= 1e-6 * supply.maxPowerW ||
        (supply.kind === 'ac' && (voltageV <= 225 || voltageV >= 235)),
    );
    t.same(deviations, []);
  });
}

void t.test('random numbers are spread over the whole range', async (t) => {
  const random = createRandom(1);
  const buckets = Array.from({ length: 10 }, () => 0);
  for (let i = 0; i < 10_000; i++) {
    const bucket = Math.floor(random() * 10);
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
  }
  t.ok(buckets.every((count) => count > 850 && count < 1150));
});
