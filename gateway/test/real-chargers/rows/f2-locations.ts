import { each, power, rated, register, type Row } from '#gateway/test/real-chargers/row.ts';

const threePhases = ['L1', 'L2', 'L3'];

/** Session whose values are all of one location. 6 kWh in 2.0.1, where the stop has a register. */
const at = (location: string): Row[] => [
  {
    name: `counts a meter at ${location}`,
    version: 'ocpp1.6',
    ratedPowerW: rated,
    meterStart: 100_000,
    steps: [
      ...each((minutes, index) => ({
        at: minutes,
        values: [register(100_000 + index * 1000, { location }), power('6.0', { location, unit: 'kW' })],
      })),
      { shows: { status: 'ACTIVE', energyWh: 5000, powerW: 6000 } },
      { at: 55, stop: null },
    ],
    bill: { energyWh: 5000, costMinor: 200, priceState: 'SETTLED' },
  },
  {
    name: `counts a meter at ${location} from start to stop`,
    version: 'ocpp2.0.1',
    ratedPowerW: location === 'Body' ? null : rated,
    meterStart: null,
    startValues: [register(100_000, { location })],
    steps: [
      ...each((minutes, index) => ({
        at: minutes,
        values: [register(100_000 + index * 1000, { location }), power(6000, { location })],
      })),
      { shows: { status: 'ACTIVE', energyWh: 5000, powerW: 6000 } },
      { at: 60, stop: null, values: [register(106_000, { location })] },
    ],
    bill: { energyWh: 6000, costMinor: 240, priceState: 'SETTLED', without: ['meter-start-missing'] },
  },
];

/** A meter at another location than the outlet counts where the outlet has none. */
export const f2: readonly Row[] = [
  ...['Body', 'Inlet', 'Cable', 'EV'].flatMap(at),
  {
    name: 'prefers the outlet to the body',
    ratedPowerW: rated,
    meterStart: 100_000,
    steps: [
      ...each((minutes, index) => ({
        at: minutes,
        values: [
          register(700_000 + index * 1100, { location: 'Body' }),
          register(100_000 + index * 1000, { location: 'Outlet' }),
          power(6600, { location: 'Body' }),
          power(6000),
        ],
      })),
      { shows: { energyWh: 5000, powerW: 6000 } },
      { at: 55, stop: null },
    ],
    bill: { energyWh: 5000, costMinor: 200, priceState: 'SETTLED' },
  },
  {
    name: 'adds the phases of a meter at the body',
    ratedPowerW: rated,
    meterStart: 0,
    startValues: threePhases.map((phase) => register(0, { location: 'Body', phase })),
    steps: [
      ...each((minutes, index) => ({
        at: minutes,
        values: threePhases.flatMap((phase) => [
          register(index * 400, { location: 'Body', phase }),
          power(2400, { location: 'Body', phase }),
        ]),
      })),
      { shows: { energyWh: 6000, powerW: 7200 } },
      { at: 55, stop: null },
    ],
    bill: { energyWh: 6000, costMinor: 240, priceState: 'SETTLED' },
  },
];
