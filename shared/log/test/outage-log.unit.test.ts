import t from 'tap';
import { OutageLog } from '#shared/log/outage-log.ts';

const texts = { failed: 'the store is unavailable', recovered: 'the store is back' };

/** An outage log on a clock of its own, and the lines that it wrote. */
function outageLog() {
  const lines: [string, object, string][] = [];
  const clock = { ms: 1000 };
  const log = {
    warn: (fields: object, text: string) => void lines.push(['warn', fields, text]),
    info: (fields: object, text: string) => void lines.push(['info', fields, text]),
  };
  return { lines, clock, outage: new OutageLog(log as never, texts, () => clock.ms) };
}

void t.test('an outage log writes one line when an outage begins and one when it ends', async (t) => {
  const { lines, clock, outage } = outageLog();
  const error = new Error('ECONNREFUSED');
  for (let second = 0; second < 20; second += 1) {
    outage.failed(error, { rows: second });
    clock.ms += 1000;
  }
  outage.recovered();
  outage.recovered();
  t.same(lines, [
    ['warn', { err: error, rows: 0 }, texts.failed],
    ['info', { lastedMs: 20_000, suppressed: 19 }, texts.recovered],
  ]);
});

void t.test(
  'an outage log repeats its line once a minute with the number of suppressed failures',
  async (t) => {
    const { lines, clock, outage } = outageLog();
    const error = new Error('ECONNREFUSED');
    for (let second = 0; second <= 120; second += 1) {
      outage.failed(error);
      clock.ms += 1000;
    }
    t.same(lines, [
      ['warn', { err: error }, texts.failed],
      ['warn', { err: error, suppressed: 59 }, texts.failed],
      ['warn', { err: error, suppressed: 59 }, texts.failed],
    ]);
  },
);

void t.test('an outage log writes the line of a second outage at once', async (t) => {
  const { lines, clock, outage } = outageLog();
  for (const _ of ['first', 'second']) {
    outage.failed(new Error('ECONNREFUSED'));
    clock.ms += 1000;
    outage.recovered();
  }
  t.same(
    lines.map(([level]) => level),
    ['warn', 'info', 'warn', 'info'],
  );
});
