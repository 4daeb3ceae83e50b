import t from 'tap';
import { isEnergyPlausible } from '#shared/domain/charging/plausibility.ts';

const hour = { durationSeconds: 3600, idleSeconds: 0, ratedPowerW: null, peakPowerW: null };

void t.test('flags more energy than the power delivers', async (t) => {
  const rated = { ...hour, ratedPowerW: 11_000 };
  t.ok(isEnergyPlausible({ ...rated, energyWh: 11_000 }));
  t.notOk(isEnergyPlausible({ ...rated, energyWh: 11_000_000 }), 'kWh that were taken for Wh twice');
  const measured = { ...hour, peakPowerW: 7000 };
  t.ok(isEnergyPlausible({ ...measured, energyWh: 7000 }));
  t.notOk(isEnergyPlausible({ ...measured, energyWh: 20_000 }));
  t.ok(isEnergyPlausible({ ...hour, energyWh: 300_000 }), 'nothing is known of its power');
  t.notOk(isEnergyPlausible({ ...hour, energyWh: 10_000_000 }));
});

void t.test('flags a register in kWh that is labelled Wh', async (t) => {
  const measured = { ...hour, peakPowerW: 11_000 };
  t.notOk(isEnergyPlausible({ ...measured, energyWh: 11 }));
  t.ok(isEnergyPlausible({ ...measured, energyWh: 500 }), 'a car that only topped up');
  t.ok(
    isEnergyPlausible({ ...measured, idleSeconds: 3500, energyWh: 11 }),
    'it was idle nearly all the time',
  );
});
