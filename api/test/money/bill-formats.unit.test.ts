import t from 'tap';
import { formatsOf } from '#api/workers/formats.ts';

void t.test('a document has one decimal mark in money and energy', (t) => {
  for (const [tag, energy, money] of [
    ['en-NL', '47.804\u00a0kWh', '€34.73'],
    ['en-SE', '47.804\u00a0kWh', '€34.73'],
    ['en-GB', '47.804\u00a0kWh', '€34.73'],
    ['nl-NL', '47,804\u00a0kWh', '€\u00a034,73'],
    ['de-AT', '47,804\u00a0kWh', '€\u00a034,73'],
  ] as const) {
    const formats = formatsOf(tag);
    t.equal(formats.energy(47_804), energy, tag);
    t.equal(formats.money(3473n, 'EUR'), money, tag);
  }
  t.end();
});
