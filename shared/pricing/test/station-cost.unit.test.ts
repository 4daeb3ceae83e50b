import t from 'tap';
import { withStationCost } from '#shared/pricing/station-cost.ts';

const ours = { totalExclVatMinor: 1000n, totalInclVatMinor: 1210n, currency: 'EUR' };
const station = { currency: 'EUR', totalExclVat: 10, totalInclVat: 12.1, failure: null, details: {} };
const flag = 'station-cost-differs';

void t.test("flags a station's cost that differs from ours", async (t) => {
  const rows = [
    ['no cost', null, false],
    ['the same', station, false],
    ['a rounding of two cents', { ...station, totalInclVat: 12.12 }, false],
    ['one percent', { ...station, totalInclVat: 12.22 }, false],
    ['more than one percent', { ...station, totalInclVat: 12.23 }, true],
    ['less', { ...station, totalInclVat: 11.9 }, true],
    ['only a total without tax', { ...station, totalInclVat: null }, false],
    ['another total without tax', { ...station, totalExclVat: 11, totalInclVat: null }, true],
    ['no total', { ...station, totalExclVat: null, totalInclVat: null }, false],
    ['another currency', { ...station, currency: 'SEK' }, true],
    ['a failure', { ...station, totalInclVat: 0, failure: 'no tariff' }, false],
  ] as const;
  for (const [what, cost, differs] of rows) {
    t.same(withStationCost(['other', flag], cost, ours), differs ? ['other', flag] : ['other'], what);
  }
  t.same(withStationCost([], station, null), [], 'a session without a price');
});
