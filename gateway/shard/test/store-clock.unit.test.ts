import t from 'tap';
import { StoreClock } from '#gateway/shard/store-clock.ts';
import type { Logger } from '#shared/log/log.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

const hour = 3_600_000;

function scene() {
  const machine = new VirtualClock();
  const lines: string[] = [];
  const note =
    (level: string) =>
    (facts: object | string): void => {
      lines.push(`${level} ${typeof facts === 'string' ? '' : JSON.stringify(facts)}`.trim());
    };
  const log = { warn: note('warn'), info: note('info') } as unknown as Logger;
  return { machine, clock: new StoreClock(machine, log), lines };
}

void t.test('corrects a clock that differs by 5 s or more, and says so once', async (t) => {
  for (const aheadMs of [-hour, -5000, 5000, 25 * hour]) {
    const { machine, clock, lines } = scene();
    for (let beat = 0; beat < 3; beat += 1) clock.compare(machine.now() - aheadMs, machine.steady());
    t.equal(clock.now(), machine.now() - aheadMs, `${aheadMs} ms ahead`);
    t.equal(clock.aheadSeconds, aheadMs / 1000);
    machine.advance(60_000);
    t.equal(clock.now(), machine.now() - aheadMs, 'later too');
    t.same(lines, [`warn {"aheadSeconds":${aheadMs / 1000}}`]);
  }
});

void t.test('keeps a clock that differs by less, or for which the answer was too slow', async (t) => {
  const { machine, clock, lines } = scene();
  clock.compare(machine.now() + 4900, machine.steady());
  t.equal(clock.now(), machine.now());
  const sentAt = machine.steady();
  machine.advance(2100);
  clock.compare(machine.now() + hour, sentAt);
  t.equal(clock.now(), machine.now());
  t.same(lines, []);
});

void t.test('counts half of the time that an answer takes', async (t) => {
  const { machine, clock } = scene();
  const sentAt = machine.steady();
  const storeTime = machine.now() + hour + 500;
  machine.advance(1000);
  clock.compare(storeTime, sentAt);
  t.equal(clock.now(), machine.now() + hour);
});

void t.test('ends the correction when the clock was set', async (t) => {
  const { machine, clock, lines } = scene();
  clock.compare(machine.now() + hour, machine.steady());
  clock.compare(machine.now() + 100, machine.steady());
  t.equal(clock.now(), machine.now());
  t.same(lines, ['warn {"aheadSeconds":-3600}', 'info']);
});
