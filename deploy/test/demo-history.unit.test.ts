import t from 'tap';
import { pastOf } from '#deploy/demo/past.ts';
import { pastStates } from '#deploy/demo/past-states.ts';
import { supplies } from '#shared/simulator/charging-model.ts';
import { createRandom } from '#shared/simulator/random.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const to = Date.parse('2026-03-05T12:00:00Z');
const time = { from: to - 28 * dayMs, to };

const connectors = (kind: 'ac11' | 'dc50') =>
  Array.from({ length: 20 }, (_, index) =>
    pastOf(time, {
      supply: supplies[kind],
      tokens: ['CARD'],
      random: createRandom(index + 1),
      registerWh: 1000,
    }),
  );

void t.test(
  'sessions of the demo have the rhythm of a day and leave connectors free most of the time',
  (t) => {
    for (const kind of ['ac11', 'dc50'] as const) {
      const pasts = connectors(kind);
      const sessions = pasts.flatMap((past) => past.sessions);
      const usedMs = sessions.reduce((sum, { at, end }) => sum + end.at.getTime() - at.getTime(), 0);
      const share = usedMs / (pasts.length * (time.to - time.from));
      t.ok(share > 0.1 && share < 0.4, `${kind}: ${share}`);
      const startedIn = (from: number, until: number) =>
        sessions.filter(({ at }) => at.getUTCHours() >= from && at.getUTCHours() < until).length;
      t.ok(startedIn(0, 4) * 4 < startedIn(8, 12), `${kind}: nights are quiet`);
      for (const { sessions: own, occupiedSince } of pasts) {
        const ends = [...own.slice(1).map(({ at }) => at.getTime()), occupiedSince ?? time.to];
        t.ok(
          own.every(({ end }, index) => end.at.getTime() <= (ends[index] ?? 0)),
          'sessions follow one another',
        );
      }
    }
    t.end();
  },
);

void t.test('the demo has the states of its sessions, with whole milliseconds', (t) => {
  const [past] = connectors('ac11');
  const charger = {
    origin: { id: 1, networkId: 1 },
    version: '1.6' as const,
    connectors: [past!],
    hasBadLink: true,
  };
  const rows = pastStates(time, charger, createRandom(1));
  t.ok(rows.every(([, , at]) => Number.isInteger(at) && at >= time.from && at <= time.to));
  const ofKind = (kind: string) => rows.filter((row) => row[4] === kind);
  t.equal(ofKind('connected').length, ofKind('disconnected').length);
  const charging = rows.filter((row) => row[7] === 'Charging').map(([, , at]) => at);
  t.same(
    charging,
    past!.sessions.map(({ at }) => Math.round(at.getTime())),
  );
  const changes = ofKind('status').map(([, , at]) => at);
  t.same(
    changes,
    changes.toSorted((a, b) => a - b),
  );
  t.end();
});
