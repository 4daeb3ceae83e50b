import t from 'tap';
import { type MeterOverride, noOverrides, overridesFor } from '#shared/domain/fleet/meter-override.ts';
import {
  type MeterSample,
  registerWh,
  type SampledValue,
  toMeterSamples,
} from '#shared/domain/charging/meter-sample.ts';
import { growth } from '#shared/testing/growth.ts';

const now = new Date('2026-05-04T12:00:00Z');
const energy = 'Energy.Active.Import.Register';

/** Values of one instant, by what differs from a plain reading of the energy register. */
function read(...values: Partial<SampledValue>[]): MeterSample[] {
  return readWith(noOverrides, ...values);
}

function readWith(overrides: readonly MeterOverride[], ...values: Partial<SampledValue>[]): MeterSample[] {
  const plain: SampledValue = {
    value: '0',
    measurand: energy,
    context: 'Sample.Periodic',
  };
  return toMeterSamples(
    values.map((value) => ({ ...plain, ...value })),
    { time: now, receivedAt: now, saidTime: null, flags: [] },
    overrides,
  );
}

/** The only row of these values. */
function row(...values: Partial<SampledValue>[]): MeterSample {
  const [sample, ...others] = read(...values);
  if (sample === undefined || others.length > 0) throw new Error('not one row');
  return sample;
}

/** The row of values that were given per phase. */
function perPhase(measurand: string, unit: string, values: [string, string][]): MeterSample {
  return row(...values.map(([phase, value]) => ({ measurand, unit, phase, value })));
}

void t.test('converts units to Wh, W, A, V, % and °C', (t) => {
  t.equal(row({ value: '1500' }).energyWh, 1500, 'Wh is the default');
  t.equal(row({ value: '1.5', unit: 'kWh' }).energyWh, 1500);
  t.equal(row({ value: '7.4', unit: 'kW', measurand: 'Power.Active.Import' }).powerW, 7400);
  t.equal(row({ value: '16', measurand: 'Current.Import' }).currentA, 16);
  t.equal(row({ value: '230.1', unit: 'V', measurand: 'Voltage' }).voltageV, 230.1);
  t.equal(row({ value: '42', unit: 'Percent', measurand: 'SoC', location: 'EV' }).socPercent, 42);
  for (const [value, unit] of [
    ['25', 'Celsius'],
    ['25', 'Celcius'],
    ['77', 'Fahrenheit'],
    ['298.15', 'K'],
  ] as const) {
    t.equal(row({ value, unit, measurand: 'Temperature' }).temperatureC, 25, unit);
  }
  t.end();
});

void t.test('reads numbers as chargers write them and refuses other text', (t) => {
  for (const [value, number] of [
    ['1234,5', 1234.5],
    [' 12 ', 12],
    ['1.5e3', 1500],
    ['.5', 0.5],
    [7.25, 7.25],
  ] as const) {
    t.match(row({ value }), { energyWh: number, flags: { length: 0 } }, String(value));
  }
  for (const value of ['', 'n/a', '0x1F', '1.234,5', 'Infinity', Number.POSITIVE_INFINITY]) {
    const sample = row({ value });
    t.match(sample, { energyWh: null, flags: ['value-unreadable'] });
    t.equal(sample.extra[energy], String(value), 'kept as sent');
  }
  t.end();
});

void t.test('ignores an impossible register and keeps it as sent', (t) => {
  for (const value of [-1, 2e12, Number.MAX_VALUE]) {
    const unreadable = { energyWh: null, flags: ['value-unreadable'], extra: { [energy]: String(value) } };
    t.match(row({ value }), unreadable);
  }
  t.equal(row({ value: -1, measurand: 'Power.Active.Import' }).powerW, -1, 'as a car that gives back');
  t.end();
});

void t.test('combines values per phase and keeps each of them', (t) => {
  const power = perPhase('Power.Active.Import', 'kW', [
    ['L1', '1.1'],
    ['L2', '1.2'],
    ['L3', '1.3'],
  ]);
  t.equal(power.powerW, 3600);
  t.same(
    { ...power.extra },
    {
      'Power.Active.Import.L1 kW': '1.1',
      'Power.Active.Import.L2 kW': '1.2',
      'Power.Active.Import.L3 kW': '1.3',
    },
  );
  t.equal(
    perPhase('Current.Import', 'A', [
      ['L1', '10'],
      ['L2', '12'],
      ['N', '20'],
    ]).currentA,
    12,
  );
  t.equal(
    perPhase('Voltage', 'V', [
      ['L1-N', '229'],
      ['L2-N', '231'],
      ['L1-L2', '400'],
    ]).voltageV,
    230,
  );
  t.end();
});

void t.test('prefers a value without phase to values per phase, in any order', (t) => {
  const phase = { measurand: 'Power.Active.Import', phase: 'L1', value: '100' };
  const whole = { measurand: 'Power.Active.Import', value: '310' };
  t.equal(row(phase, whole).powerW, 310);
  t.equal(row(whole, phase).powerW, 310);
  t.end();
});

void t.test('keeps an unknown measurand or unit in extra and flags the unit', (t) => {
  const sample = row(
    { measurand: 'Vendor.Humidity', value: '51', unit: '%RH' },
    { value: '3', unit: 'furlong' },
    { measurand: 'Voltage', phase: 'N', value: '400', unit: 'V' },
  );
  t.match(sample, { energyWh: null, voltageV: null, flags: ['unit-unknown'] });
  t.same(
    { ...sample.extra },
    {
      'Vendor.Humidity %RH': '51',
      [`${energy} furlong`]: '3',
      'Voltage.N V': '400',
    },
  );
  t.end();
});

const temperatureAt = (location: string | undefined, value: string, unit = 'Celsius') => ({
  measurand: 'Temperature',
  location,
  value,
  unit,
});

void t.test('stores a temperature from any position and prefers the outlet', (t) => {
  const body = row(temperatureAt('Body', '31.5'));
  t.equal(body.temperatureC, 31.5);
  t.same({ ...body.extra }, { 'Temperature@Body Celsius': '31.5' }, 'and where');
  t.equal(
    row(temperatureAt('Cable', '104', 'Fahrenheit'), temperatureAt('Body', '31')).temperatureC,
    40,
    'the highest',
  );
  for (const outlet of [temperatureAt('Outlet', '25'), temperatureAt(undefined, '25')]) {
    t.equal(row(temperatureAt('Body', '31'), outlet).temperatureC, 25);
    t.equal(row(outlet, temperatureAt('Body', '31')).temperatureC, 25);
  }
  const perPhase = { ...temperatureAt('Outlet', '25'), phase: 'L1' };
  t.equal(row(temperatureAt('Body', '60'), perPhase).temperatureC, 25);
  t.match(row(temperatureAt('Body', 'warm')), { temperatureC: null, flags: ['value-unreadable'] });
  t.end();
});

void t.test('treats names of object properties as ordinary text', (t) => {
  const sample = row(
    { measurand: 'constructor', value: '1' },
    { measurand: '__proto__', value: '2' },
    { value: '3', unit: 'toString' },
  );
  t.match(sample, { energyWh: null, flags: ['unit-unknown'] });
  t.same(Object.entries(sample.extra), [
    ['constructor', '1'],
    ['__proto__', '2'],
    [`${energy} toString`, '3'],
  ]);
  t.end();
});

void t.test('keeps signed data and never reads it as a number', (t) => {
  const sample = row({ value: '3045', format: 'SignedData' }, { value: '1500' });
  t.match(sample, { energyWh: 1500, flags: { length: 0 } });
  t.equal(sample.extra[`${energy} signed`], '3045');
  t.end();
});

void t.test('creates one row per context and none without values', (t) => {
  const rows = read(
    { value: '1', context: 'Transaction.Begin' },
    { value: '2' },
    { value: '3', context: 'Transaction.End' },
  );
  t.same(
    rows.map((sample) => [sample.context, sample.energyWh]),
    [
      ['Transaction.Begin', 1],
      ['Sample.Periodic', 2],
      ['Transaction.End', 3],
    ],
  );
  t.same(read(), []);
  t.end();
});

void t.test('flags a value that is not a number without delay for any length', (t) => {
  t.match(row({ value: `${'1'.repeat(200_000)}x` }), { energyWh: null, flags: ['value-unreadable'] });
  // A search that tries every way to split the digits is quadratic.
  const ratio = growth(200_000, (length) => {
    for (let time = 0; time < 20; time += 1) row({ value: `${'1'.repeat(length)}x` });
  });
  t.ok(ratio < 24, `${ratio} times the time for 8 times the length`);
  t.end();
});

void t.test('corrects and flags values that a model reports in its own way', (t) => {
  const plain = { measurand: energy, firmware: null, saidUnit: null, unit: null, factor: 1, phases: null };
  const power = 'Power.Active.Import';
  const sampleWith = (override: Partial<MeterOverride>, ...values: Partial<SampledValue>[]) =>
    readWith([{ ...plain, ...override }], ...values)[0];

  t.match(sampleWith({ unit: 'kWh' }, { value: '12.5', unit: 'Wh' }), {
    energyWh: 12_500,
    flags: ['meter-overridden'],
  });
  t.match(sampleWith({ factor: 0.1 }, { value: 12_345 }), { energyWh: 1234.5 });
  t.match(sampleWith({ saidUnit: '', unit: 'kWh' }, { value: '1' }), { energyWh: 1000 }, 'no unit at all');
  t.match(sampleWith({ saidUnit: '', unit: 'kWh' }, { value: '1', unit: 'Wh' }), {
    energyWh: 1,
    flags: { length: 0 },
  });
  t.match(sampleWith({ saidUnit: 'Watt-hours', unit: 'Wh' }, { value: '7', unit: 'Watt-hours' }), {
    energyWh: 7,
  });
  t.match(sampleWith({ measurand: power, factor: 1000 }, { value: '7' }), {
    energyWh: 7,
    flags: { length: 0 },
  });
  const phases = ['L1', 'L2', 'L3'].map((phase) => ({ measurand: power, phase, value: '7000' }));
  t.match(
    sampleWith({ measurand: power, phases: 'max' }, ...phases),
    { powerW: 7000 },
    'each reports the total',
  );
  t.match(
    sampleWith({ unit: 'kWh' }, { value: 'n/a' }),
    { energyWh: null, flags: ['meter-overridden', 'value-unreadable'], extra: { [energy]: 'n/a' } },
    'what cannot be read stays as it was sent',
  );

  const start = { ...plain, measurand: 'meterStart', unit: 'kWh' };
  t.equal(registerWh(12, 'meterStart', [start]), 12_000);
  t.equal(registerWh(12, 'meterStop', [start]), 12, 'each register by itself');
  t.equal(registerWh(-1, 'meterStart', [start]), null);

  const firmware = [
    { ...plain, firmware: '1.4' },
    { ...plain, firmware: null, factor: 2 },
  ];
  t.equal(overridesFor(firmware, '1.4.2-rc1').length, 2);
  t.same(overridesFor(firmware, '2.1.4'), [firmware[1]]);
  t.same(overridesFor(firmware, null), [firmware[1]]);
  t.end();
});
