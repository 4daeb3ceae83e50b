import t from 'tap';
import { minorDigits } from '#shared/pricing/currencies.ts';
import { toMajor, toMinor } from '#shared/pricing/money.ts';

void t.test('minor units have the decimals of ISO 4217, not those of CLDR', (t) => {
  const digits = 'EUR HUF COP IDR PKR MGA RSD JPY ISK UGX KWD IQD CLF'
    .split(' ')
    .map((currency) => [currency, minorDigits(currency)]);
  t.same(Object.fromEntries(digits), {
    EUR: 2,
    HUF: 2,
    COP: 2,
    IDR: 2,
    PKR: 2,
    MGA: 2,
    RSD: 2,
    JPY: 0,
    ISK: 0,
    UGX: 0,
    KWD: 3,
    IQD: 3,
    CLF: 4,
  });
  t.equal(toMinor('12.345', 'HUF'), 1235n);
  t.equal(toMajor(1235n, 'HUF'), 12.35);
  t.throws(() => minorDigits('kr'), RangeError);
  t.end();
});
