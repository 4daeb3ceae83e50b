import t from 'tap';
import { type LiveReading, mergedReading } from '#shared/domain/charging/live.ts';

const reading = (at: number, changes: Partial<LiveReading>): LiveReading => ({
  evse: 1,
  connector: 1,
  at,
  sessionId: 'session',
  sessionEnergyWh: null,
  energyRegisterWh: null,
  powerW: null,
  currentA: null,
  currentAt: null,
  phaseCurrentsA: [null, null, null],
  voltageV: null,
  socPercent: null,
  temperatureC: null,
  ...changes,
});

void t.test('keeps the time of a current when a later message has none', async (t) => {
  const current = reading(1000, { currentA: 16, currentAt: 1000, phaseCurrentsA: [16, 16, 16] });
  const energy = reading(2000, { energyRegisterWh: 100 });
  t.match(mergedReading(current, energy), {
    at: 2000,
    currentA: 16,
    currentAt: 1000,
    phaseCurrentsA: [16, 16, 16],
    energyRegisterWh: 100,
  });
  const later = mergedReading(energy, reading(3000, { currentA: 10, currentAt: 3000 }));
  t.match(later, { currentA: 10, currentAt: 3000 });
});
