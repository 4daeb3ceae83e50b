import t from 'tap';
import { Pacer } from '#bench/fleet/pacer.ts';
import { createRandom } from '#shared/simulator/random.ts';

/** Moment far in the future, so that the pacer's own timer gives no turn. */
const start = 1e12;

/** Runs a pacer until a moment and returns the turns it gave: sender and intended time after the start. */
function turnsOf(options: { senders: number; rate: number; seed: number; untilMs: number[] }) {
  const turns: { sender: number; at: number }[] = [];
  const senders = Array.from({ length: options.senders }, (_, sender) => ({
    due: (intendedAt: number) => turns.push({ sender, at: intendedAt - start }),
  }));
  const pacer = new Pacer(senders, options.rate, createRandom(options.seed), start);
  for (const ms of options.untilMs) pacer.tick(start + ms);
  pacer.stop();
  return turns;
}

function runWith(seed: number) {
  return turnsOf({ senders: 5, rate: 50, seed, untilMs: [400] });
}

void t.test('gives each sender one turn in each interval', async (t) => {
  const turns = turnsOf({ senders: 10, rate: 100, seed: 1, untilMs: [300] });
  t.equal(turns.length, 30);
  for (let sender = 0; sender < 10; sender++) {
    const [first = 0, second = 0, third = 0] = turns
      .filter((turn) => turn.sender === sender)
      .map(({ at }) => at);
    t.ok(first >= 0 && first < 100);
    t.same([Math.round(second - first), Math.round(third - second)], [100, 100]);
  }
});

void t.test('gives turns that a late timer missed, with their own times and in order', async (t) => {
  const late = turnsOf({ senders: 5, rate: 50, seed: 2, untilMs: [10, 400] });
  const punctual = turnsOf({
    senders: 5,
    rate: 50,
    seed: 2,
    untilMs: Array.from({ length: 400 }, (_, ms) => ms + 1),
  });
  t.same(late, punctual);
  t.same(
    late.map(({ at }) => at),
    late.map(({ at }) => at).toSorted((a, b) => a - b),
  );
});

void t.test('repeats the same times with the same seed', async (t) => {
  t.same(runWith(3), runWith(3));
  t.not(JSON.stringify(runWith(3)), JSON.stringify(runWith(4)));
});
