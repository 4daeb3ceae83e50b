import { rated, register, type Row, type Step } from '#gateway/test/real-chargers/row.ts';

const version = 'ocpp1.6';
const sixKwh = { energyWh: 6000, costMinor: 240, priceState: 'SETTLED' } as const;
const active = { shows: { status: 'ACTIVE' } } as const;

/** Stop of another transaction, the readings of the session, and its stop in the same second as the last one. */
const around = (id: string | number, foreignWh: number | null, ...between: Step[]): Step[] => [
  { at: 22, stop: foreignWh, id },
  ...between,
  { at: 30, values: [register(43_000)] },
  { at: 40, values: [register(44_500)] },
  { at: 50, stop: 46_000 },
];

/** A stop of another transaction neither ends a session nor bounds its energy; the real stop decides. */
export const f5: readonly Row[] = [
  {
    name: 'keeps a session of two connectors running at a stop of another',
    version,
    connectors: 2,
    ratedPowerW: rated,
    meterStart: 40_000,
    steps: around(0, 47_000, active),
    bill: { ...sixKwh, without: ['stop-reconciled', 'meter-reset', 'amended'] },
  },
  {
    name: 'keeps it running where messages follow at once and no rating is known',
    version,
    connectors: 2,
    ratedPowerW: null,
    meterStart: 40_000,
    steps: around(-1, 47_000),
    bill: { ...sixKwh, without: ['stop-reconciled', 'meter-reset', 'amended'] },
  },
  {
    name: 'keeps the only session running at a stop of an id that was not issued',
    version,
    ratedPowerW: rated,
    meterStart: 40_000,
    steps: around(987_654, 42_000, active),
    bill: { ...sixKwh, without: ['stop-reconciled', 'amended'] },
  },
  {
    name: 'keeps the only session running at a register that it cannot have reached',
    version,
    ratedPowerW: rated,
    meterStart: 40_000,
    steps: around(0, 92_000, active),
    bill: { ...sixKwh, without: ['energy-implausible', 'stop-reconciled', 'amended'] },
  },
  {
    name: 'keeps the only session running at a register below its start',
    version,
    ratedPowerW: rated,
    meterStart: 40_000,
    steps: around(0, 12_000, active),
    bill: { ...sixKwh, without: ['stop-reconciled', 'amended'] },
  },
  {
    name: 'lets a session run again at its own readings',
    version,
    ratedPowerW: rated,
    meterStart: 40_000,
    steps: [
      { at: 22, stop: 47_000, id: 0 },
      { shows: { status: 'COMPLETED', energyWh: 7000 } },
      { at: 30, values: [register(43_000)] },
      active,
      { at: 40, values: [register(44_500)] },
      { shows: { status: 'ACTIVE', energyWh: 4500 } },
      { at: 50, stop: 46_000 },
    ],
    bill: sixKwh,
  },
  {
    name: 'lets a session run again where all messages follow at once',
    version,
    ratedPowerW: rated,
    meterStart: 40_000,
    steps: around(0, 47_000),
    bill: sixKwh,
  },
  {
    name: 'corrects a session that a stop of another ended, without readings between',
    version,
    ratedPowerW: rated,
    meterStart: 40_000,
    steps: [
      { at: 10, values: [register(41_000)] },
      { at: 22, stop: 47_000, id: 2_147_483_647 },
      { at: 50, stop: 46_000 },
    ],
    bill: sixKwh,
  },
  {
    name: 'bills the stop although its readings were higher',
    ratedPowerW: rated,
    meterStart: 40_000,
    steps: [
      { at: 30, values: [register(43_000)] },
      { at: 40, values: [register(44_500)] },
      { at: 50, values: [register(46_050)] },
      { at: 50, stop: 46_000 },
    ],
    bill: sixKwh,
  },
];
