import { each, power, rated, register, type Row, type Step } from '#gateway/test/real-chargers/row.ts';

/** Readings whose id is of no transaction of this back end. */
const unnamedReadings = (id?: unknown): Step[] =>
  each((at, index) => ({ at, unnamed: [register(1000 + index * 1000), power(6000)], id }));

const fiveLive: Step = { shows: { status: 'ACTIVE', energyWh: 5000, powerW: 6000 } };

const fiveKwh = (name: string, more: Partial<Row>, id?: unknown): Row => ({
  name,
  ratedPowerW: rated,
  meterStart: 1000,
  steps: [...unnamedReadings(id), fiveLive, { at: 55, stop: null }],
  bill: { energyWh: 5000, costMinor: 200, priceState: 'SETTLED', flags: ['meter-stop-missing'] },
  ...more,
});

/** 2⁶³ − 1 with every digit, which no number of JavaScript has. */
const highest63 = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON('9223372036854775807');

/** Ids that name no running transaction of the charger. */
const ids: readonly unknown[] = [0, -1, -16, 2_147_483_647, highest63, '', null, 77_001];

/** Readings with an id that means "no transaction", or that this back end did not issue, belong to the only session. */
export const f1: readonly Row[] = [
  fiveKwh('counts readings without an id', { version: 'ocpp1.6' }),
  fiveKwh('counts MeterValues alongside a transaction whose events have no register', {
    version: 'ocpp2.0.1',
    meterStart: null,
    steps: [{ at: 0, unnamed: [register(1000)] }, ...unnamedReadings(), fiveLive, { at: 55, stop: null }],
  }),
  fiveKwh('counts MeterValues alongside a transaction whose events have a register only at the start', {
    version: 'ocpp2.0.1',
  }),
  ...ids.map((id) =>
    fiveKwh(`counts readings with the id ${JSON.stringify(id)}`, { version: 'ocpp1.6' }, id),
  ),
  fiveKwh(
    'counts readings with the id 0 where no rating is known',
    { version: 'ocpp1.6', ratedPowerW: null },
    0,
  ),
  fiveKwh(
    'counts readings with the id of an earlier back end at one of two connectors',
    { version: 'ocpp1.6', connectors: 2 },
    '4711-a',
  ),
  {
    name: 'stops a session at its limit by readings with the id 0',
    version: 'ocpp1.6',
    ratedPowerW: rated,
    maxEnergyWh: 3000,
    meterStart: 1000,
    steps: [
      { at: 10, unnamed: [register(2000)], id: 0 },
      { at: 20, unnamed: [register(3000)], id: 0 },
      { shows: { status: 'ACTIVE', energyWh: 2000 } },
      { at: 35, unnamed: [register(4500)], id: 0 },
      { shows: { status: 'STOPPING', energyWh: 3500, limitPassed: 'MaxEnergy' } },
      { at: 36, stop: 4600 },
    ],
    bill: { energyWh: 3600, costMinor: 144, priceState: 'SETTLED' },
  },
  {
    name: 'counts readings whose id changes between no transaction and the own one',
    ratedPowerW: rated,
    meterStart: 1000,
    steps: [
      { at: 10, unnamed: [register(2000)], id: -1 },
      { at: 20, values: [register(3000)] },
      { at: 30, unnamed: [register(4000)], id: 0 },
      { at: 40, values: [register(5000)] },
      { at: 50, values: [register(6000)] },
      { shows: { energyWh: 5000 } },
      { at: 55, stop: null },
    ],
    bill: { energyWh: 5000, costMinor: 200, priceState: 'SETTLED' },
  },
];
