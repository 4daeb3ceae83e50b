import * as fc from 'fast-check';
import t from 'tap';
import { type Bill, billOf, sessions, type TrueSession } from './meter-simulator.ts';

/** Sessions of each test. The long form, `npm run test:meter-faults`, has 100,000. */
const runs = Number(process.env['METER_SESSIONS'] ?? 2000);

/** The sessions are the same in each run: a new one that fails belongs into a test of its own. */
const seed = 20_261_128;

const isRight = ({ energyWh, trueWh, stepWh, priceState }: Bill) =>
  priceState === 'REVIEW' || Math.abs(energyWh - trueWh) <= stepWh;

/** Share of sessions in review, by fault. */
function reviewed(shares: Map<string, [reviewed: number, all: number]>): string[] {
  return [...shares].map(
    ([fault, [inReview, all]]) => `${fault}: ${Math.round((inReview / all) * 100)} % of ${all} in review`,
  );
}

function count(shares: Map<string, [number, number]>, session: TrueSession, { priceState }: Bill): void {
  const key = session.faults.length === 1 ? (session.faults[0] ?? '') : `${session.faults.length} faults`;
  const [inReview, all] = shares.get(key) ?? [0, 0];
  shares.set(key, [inReview + (priceState === 'REVIEW' ? 1 : 0), all + 1]);
}

for (const [name, faultCount] of [
  ['no fault', { min: 0, max: 0 }],
  ['one fault', { min: 1, max: 1 }],
  ['up to four faults', { min: 2, max: 4 }],
] as const) {
  void t.test(`bills a session with ${name} within one step of the truth, or reviews it`, async (t) => {
    const shares = new Map<string, [number, number]>();
    fc.assert(
      fc.property(sessions(faultCount), (session) => {
        const bill = billOf(session);
        count(shares, session, bill);
        return isRight(bill);
      }),
      { numRuns: runs, seed },
    );
    for (const line of reviewed(shares).toSorted()) t.comment(line);
    t.pass('held for every session');
    if (faultCount.max === 0) t.strictSame(shares.get('0 faults')?.[0], 0, 'none of them in review');
  });
}

void t.test('counts reading by reading as the pricer counts all of them', async (t) => {
  const inOrder = sessions({ min: 0, max: 3 }).filter((session) => !session.faults.includes('late readings'));
  fc.assert(
    fc.property(inOrder, (session) => {
      const { live, priced } = billOf(session);
      return live === priced;
    }),
    { numRuns: runs, seed },
  );
  t.pass('held for every session');
});
