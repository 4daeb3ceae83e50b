import t from 'tap';
import { dropInvalidFields } from '#gateway/protocol/repair.ts';
import { requestCheck } from '#shared/ocpp/validators.ts';

const timestamp = '2026-05-04T12:00:00Z';
const value = { value: '1500', unit: 'Wh' };
const reading = { timestamp, sampledValue: [value] };

/** Readings of 1.6 as sent, and what is read of them. */
const readings: [name: string, sent: unknown, read: unknown][] = [
  ['a missing time', [{ sampledValue: [value] }], [{ timestamp: '', sampledValue: [value] }]],
  ['no time', [{ timestamp: null, sampledValue: [value] }], [{ timestamp: '', sampledValue: [value] }]],
  [
    'a time that is a number',
    [{ timestamp: 1_777_896_000, sampledValue: [value] }],
    [{ timestamp: '', sampledValue: [value] }],
  ],
  [
    'a time that is an object in one of two readings',
    [{ timestamp: {}, sampledValue: [value] }, reading],
    [{ timestamp: '', sampledValue: [value] }, reading],
  ],
  ['a missing value', [{ timestamp, sampledValue: [{ unit: 'Wh' }, value] }], [reading]],
  ['no value', [{ timestamp, sampledValue: [value, { value: null, unit: 'Wh' }] }], [reading]],
  ['a value that is an object', [{ timestamp, sampledValue: [{ value: {} }, value] }], [reading]],
  [
    'a measurand that is a number',
    [{ timestamp, sampledValue: [{ ...value, measurand: 3 }, value] }],
    [reading],
  ],
  ['a unit that is a list', [{ timestamp, sampledValue: [{ ...value, unit: [] }, value] }], [reading]],
  ['a sampled value that is a number', [{ timestamp, sampledValue: [1500, value, 1600] }], [reading]],
  ['a sampled value that is null', [{ timestamp, sampledValue: [null, value] }], [reading]],
  ['a reading that is a text', ['1500', reading], [reading]],
  ['a reading without values', [{ timestamp }, reading], [reading]],
  ['a reading without a list', reading, [reading]],
  ['a value without a list', [{ timestamp, sampledValue: value }], [reading]],
];

void t.test('1.6: leaves out only what is unreadable of readings with', async (t) => {
  const problemOf = requestCheck('1.6', 'MeterValues');
  for (const [name, sent, read] of readings) {
    const payload = dropInvalidFields({ connectorId: 1, meterValue: sent }, {}, [], problemOf);
    t.same(payload, { connectorId: 1, meterValue: read }, name);
  }
});

void t.test('2.0.1: leaves out only what is unreadable of readings with', async (t) => {
  const problemOf = requestCheck('2.0.1', 'MeterValues');
  const read = (sampled: unknown): unknown => {
    const payload = { evseId: 1, meterValue: [{ timestamp, sampledValue: [sampled, { value: 2 }] }] };
    const repaired = dropInvalidFields(payload, {}, [], problemOf) as typeof payload;
    return repaired.meterValue[0]?.sampledValue;
  };
  for (const [name, sent, expected] of [
    ['a value as text', { value: ' 1,5 ' }, { value: 1.5 }],
    ['a signed value without a key', { value: 1, signedMeterValue: { signedMeterData: 'A' } }, { value: 1 }],
    ['a custom field without a vendor', { value: 1, customData: {} }, { value: 1 }],
  ] as const) {
    t.same(JSON.parse(JSON.stringify(read(sent))), [expected, { value: 2 }], name);
  }
  for (const [name, sent] of [
    ['an unreadable value', { value: 'low' }],
    ['a value without a number', {}],
    ['an unreadable unit', { value: 1, unitOfMeasure: 'kWh' }],
    ['an unreadable factor', { value: 1, unitOfMeasure: { unit: 'Wh', multiplier: 'k' } }],
  ] as const) {
    t.same(read(sent), [{ value: 2 }], name);
  }
  const nested = { value: 1, unitOfMeasure: { unit: 'Wh', customData: {} } };
  t.same(
    read(nested),
    [{ value: 2 }],
    'a custom field without a vendor in a unit, which the other value lacks',
  );
});

void t.test('leaves out the same fault in any number of values', async (t) => {
  const sampledValue = Array.from({ length: 5000 }, (_, index) => (index % 2 === 0 ? value : { unit: 'Wh' }));
  const meterValue = Array.from({ length: 20 }, () => ({ timestamp, sampledValue }));
  const payload = dropInvalidFields(
    { connectorId: 1, meterValue },
    {},
    [],
    requestCheck('1.6', 'MeterValues'),
  );
  const { meterValue: read } = payload as { meterValue: { sampledValue: unknown[] }[] };
  t.same(
    read.map((reading) => reading.sampledValue.length),
    Array.from({ length: 20 }, () => 2500),
  );
});

void t.test('refuses readings of an unreadable connector', async (t) => {
  const payload = { connectorId: 'left', meterValue: [reading] };
  t.equal(dropInvalidFields(payload, {}, [], requestCheck('1.6', 'MeterValues')), null);
});
