import t from 'tap';
import {
  mayChange,
  nextPrice,
  type Price,
  priceEvents,
  priceReadings,
  type PriceState,
  priceStates,
  withPriceFlags,
} from '#shared/pricing/price-state.ts';

/** Facts by which each state but OPEN is chosen. */
const facts = {
  PENDING: { cost: null, needsReadings: true, flags: [] },
  UNPRICED: { cost: null, needsReadings: false, flags: ['no-tariff'] },
  REVIEW: { cost: { totalInclVatMinor: 1n }, needsReadings: false, flags: ['energy-implausible'] },
  SETTLED: { cost: { totalInclVatMinor: 1n }, needsReadings: false, flags: [] },
};
type Judged = keyof typeof facts;
const judgedStates = Object.keys(facts) as Judged[];

/** A statement of the partner is always reviewed; the other events reach a settled price. */
const settledBy = (event: (typeof priceEvents)[number]) => (event === 'stated' ? 'REVIEW' : 'SETTLED');

const decisions = [null, 'APPROVED', 'AMENDED'] as const;
const priced = (priceState: PriceState, rest: Partial<Price> = {}): Price => ({
  priceState,
  priceReadings: 'COMPLETE',
  priceDecision: null,
  ...rest,
});

/** Returns the price after an event, or null where it is a fault. */
function after(from: Price, event: (typeof priceEvents)[number], to: Judged): Price | null {
  try {
    return nextPrice(from, event, facts[to]);
  } catch {
    return null;
  }
}

void t.test('an event changes a state as the transition table says', async (t) => {
  // O OPEN, P PENDING, U UNPRICED, R REVIEW, S SETTLED: states that facts may choose; empty: the event is a fault there.
  const table: Record<(typeof priceEvents)[number], Record<PriceState, string>> = {
    ended: { OPEN: 'PURS', PENDING: 'PURS', UNPRICED: 'PURS', REVIEW: 'PURS', SETTLED: 'PURS' },
    late: { OPEN: '', PENDING: '', UNPRICED: '', REVIEW: 'R', SETTLED: 'S' },
    priced: { OPEN: '', PENDING: 'RS', UNPRICED: '', REVIEW: 'RS', SETTLED: 'RS' },
    'part-priced': { OPEN: '', PENDING: 'RS', UNPRICED: '', REVIEW: 'RS', SETTLED: 'RS' },
    kept: { OPEN: '', PENDING: '', UNPRICED: '', REVIEW: 'R', SETTLED: 'S' },
    signed: { OPEN: '', PENDING: 'P', UNPRICED: 'U', REVIEW: 'RS', SETTLED: 'RS' },
    stated: { OPEN: '', PENDING: 'P', UNPRICED: 'R', REVIEW: 'R', SETTLED: 'R' },
    approved: { OPEN: '', PENDING: '', UNPRICED: '', REVIEW: 'US', SETTLED: '' },
    amended: { OPEN: '', PENDING: 'PUS', UNPRICED: 'PUS', REVIEW: 'PUS', SETTLED: 'PUS' },
    reopened: { OPEN: '', PENDING: 'O', UNPRICED: 'O', REVIEW: 'O', SETTLED: 'O' },
  };
  for (const event of priceEvents) {
    for (const state of priceStates) {
      // Only late readings are kept from changing a price.
      const from = priced(state, event === 'kept' ? { priceReadings: 'LATE' } : {});
      const reached = new Set(judgedStates.map((to) => after(from, event, to)?.priceState));
      const letters = priceStates.filter((to) => reached.has(to)).map((to) => to[0]);
      t.equal(letters.join(''), table[event][state], `${event} from ${state}`);
      t.equal(mayChange(state, event), table[event][state] !== '', `${event} may change ${state}`);
    }
  }
});

void t.test('an event changes the completeness of readings as the transition table says', async (t) => {
  const table: Record<(typeof priceEvents)[number], (string | undefined)[]> = {
    // After COMPLETE, MISSING, LATE, MISSING_LATE; undefined: the event is a fault there.
    ended: ['COMPLETE', 'MISSING', 'COMPLETE', 'MISSING'],
    late: ['LATE', 'MISSING_LATE', 'LATE', 'MISSING_LATE'],
    priced: ['COMPLETE', 'COMPLETE', 'COMPLETE', 'COMPLETE'],
    'part-priced': ['MISSING', 'MISSING', undefined, 'MISSING'],
    kept: [undefined, undefined, 'COMPLETE', undefined],
    signed: ['COMPLETE', 'MISSING', 'LATE', 'MISSING_LATE'],
    stated: ['COMPLETE', 'MISSING', 'LATE', 'MISSING_LATE'],
    approved: ['COMPLETE', 'MISSING', undefined, undefined],
    amended: ['COMPLETE', 'MISSING', 'COMPLETE', 'MISSING'],
    reopened: ['COMPLETE', 'COMPLETE', 'COMPLETE', 'COMPLETE'],
  };
  for (const event of priceEvents) {
    const reached = priceReadings.map(
      (readings) =>
        after(priced('REVIEW', { priceReadings: readings }), event, settledBy(event))?.priceReadings,
    );
    t.strictSame(reached, table[event], event);
  }
});

void t.test('an event changes the decision of an operator as the transition table says', async (t) => {
  const table: Record<(typeof priceEvents)[number], (string | null | undefined)[]> = {
    // After no decision, APPROVED, AMENDED; undefined: the event is a fault there.
    ended: [null, null, undefined],
    late: [null, undefined, undefined],
    priced: [null, undefined, 'AMENDED'],
    'part-priced': [null, undefined, 'AMENDED'],
    kept: [null, undefined, undefined],
    signed: [null, undefined, undefined],
    stated: [null, undefined, undefined],
    approved: ['APPROVED', undefined, undefined],
    amended: ['AMENDED', 'AMENDED', 'AMENDED'],
    reopened: [null, null, undefined],
  };
  for (const event of priceEvents) {
    const priceReadings = event === 'kept' ? 'LATE' : 'COMPLETE';
    const reached = decisions.map(
      (priceDecision) =>
        after(priced('REVIEW', { priceReadings, priceDecision }), event, settledBy(event))?.priceDecision,
    );
    t.strictSame(reached, table[event], event);
  }
});

void t.test('a statement of the partner is reviewed, also where nothing was to be paid', (t) => {
  for (const cost of [null, { totalInclVatMinor: 0n }, { totalInclVatMinor: 1n }]) {
    const stated = { cost, needsReadings: false, flags: ['partner-statement'] };
    t.match(nextPrice(priced('OPEN'), 'ended', stated), { priceState: 'REVIEW' });
    t.match(nextPrice(priced('SETTLED'), 'stated', stated), { priceState: 'REVIEW' });
  }
  t.end();
});

void t.test('a decided price is not reviewed', async (t) => {
  t.match(nextPrice(priced('REVIEW'), 'approved', facts.REVIEW), { priceState: 'SETTLED' });
  t.match(nextPrice(priced('REVIEW'), 'amended', facts.REVIEW), { priceState: 'SETTLED' });
  const amended = priced('PENDING', { priceDecision: 'AMENDED' });
  t.match(nextPrice(amended, 'priced', facts.REVIEW), { priceState: 'SETTLED' });
});

void t.test('a new end is judged again after an approval', async (t) => {
  const approved = priced('SETTLED', { priceDecision: 'APPROVED' });
  t.strictSame(nextPrice(approved, 'ended', facts.REVIEW), priced('REVIEW'));
});

void t.test(
  'a clock that is not believed leads to a review only where the session costs something',
  async (t) => {
    const flags = ['time-past'];
    const ended = (totalInclVatMinor: bigint) =>
      nextPrice(priced('OPEN'), 'ended', { cost: { totalInclVatMinor }, needsReadings: false, flags });
    t.match(ended(1n), { priceState: 'REVIEW' });
    t.match(ended(0n), { priceState: 'SETTLED' });
  },
);

void t.test('late readings and a kept price judge nothing again', async (t) => {
  // Sessions that were settled before there were reviews stay so.
  t.match(nextPrice(priced('SETTLED'), 'late', facts.REVIEW), { priceState: 'SETTLED' });
  const late = priced('SETTLED', { priceReadings: 'LATE' });
  t.strictSame(nextPrice(late, 'kept', facts.REVIEW), priced('SETTLED'));
});

void t.test('flags of a price replace those of the price before', async (t) => {
  const before = ['estimated', 'cost-pending', 'readings-missing', 'readings-late', 'corrected'];
  t.strictSame(withPriceFlags(before, priced('SETTLED')), ['estimated']);
  t.strictSame(withPriceFlags(['estimated'], priced('PENDING')), ['estimated', 'cost-pending']);
  t.strictSame(withPriceFlags([], priced('SETTLED', { priceReadings: 'MISSING' })), ['readings-missing']);
  t.strictSame(withPriceFlags([], priced('SETTLED', { priceReadings: 'LATE' })), ['readings-late']);
  t.strictSame(withPriceFlags([], priced('SETTLED', { priceReadings: 'MISSING_LATE' })), [
    'readings-missing',
    'readings-late',
  ]);
  t.strictSame(withPriceFlags(['approved'], priced('SETTLED', { priceDecision: 'AMENDED' })), [
    'approved',
    'corrected',
  ]);
});
