import * as fc from 'fast-check';
import t from 'tap';
import {
  beginCount,
  countRegister,
  type RegisterCount,
  showsReset,
} from '#shared/domain/charging/register-count.ts';

const begin = Date.UTC(2026, 10, 20);

/** Counts registers that are read a minute apart. */
function count(meterStartWh: number | null, ...registers: number[]): RegisterCount {
  return registers.reduce(
    (counted, registerWh, minute) =>
      countRegister(counted, { registerWh, atMs: begin + (minute + 1) * 60_000 }),
    beginCount(meterStartWh, new Date(begin)),
  );
}

void t.test('counts a rising register as its difference to the start', async (t) => {
  t.match(count(1000, 1500, 1500, 4000), { energyWh: 3000, beforeReset: null });
  t.match(count(null, 1500, 4000), { energyWh: 2500 }, 'without a start, to the first reading');
  t.match(count(1000), { energyWh: 0 });
});

void t.test('counts on from the new beginning of a register that was reset', async (t) => {
  const reset = count(900_000, 905_000, 0, 2000, 3000);
  t.match(reset, { energyWh: 8000, beforeReset: { registerWh: 905_000, energyWh: 5000 } });
  t.match(count(5000, 5900, 100, 500, 200, 600), { energyWh: 1700 }, 'a small fall is no second reset');
});

void t.test('recognizes a reset after the register passes its earlier value', async (t) => {
  const passed = count(1000, 5000, 9000, 0, 4000, 8000, 12_000, 16_000, 20_000);
  t.match(passed, { energyWh: 28_000 });
  t.ok(showsReset(passed));
  const wrongAfter = count(1000, 9000, 0, 8000, 12_000, 0, 12_500);
  t.match(wrongAfter, { energyWh: 20_500 }, 'a wrong zero after it costs nobody anything');
  t.ok(showsReset(wrongAfter));
  t.notOk(showsReset(count(500_000, 20_000, 20_100, 500_300)), 'another meter that was read twice');
});

void t.test('ignores one wrong reading', async (t) => {
  t.match(count(5000, 6000, 0, 6100), { energyWh: 1100, beforeReset: null }, 'a zero in between');
  t.match(count(5000, 6000, 4_000_000_000, 6100), { energyWh: 1100, beforeReset: null }, 'a spike');
  t.match(count(5000, 6000, 5990, 6100), { energyWh: 1100 }, 'two meters that round differently');
});

void t.test('ignores an older reading', async (t) => {
  const counted = count(0, 1000, 2000);
  t.strictSame(countRegister(counted, { registerWh: 500, atMs: begin }), counted);
});

void t.test('energy never falls and never exceeds the sum of increments', async (t) => {
  const registers = fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(registers, (values) => {
      let counted = beginCount(values[0] ?? 0, new Date(begin));
      let incrementsWh = 0;
      for (const [index, registerWh] of values.entries()) {
        const next = countRegister(counted, { registerWh, atMs: begin + index * 60_000 });
        incrementsWh += Math.max(0, registerWh - (values[index - 1] ?? registerWh));
        if (next.energyWh < counted.energyWh || next.energyWh > incrementsWh) return false;
        counted = next;
      }
      return true;
    }),
  );
  t.pass('held for every sample');
});
