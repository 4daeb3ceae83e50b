import type { Reading } from './station.ts';

/** One measured value before it is written in the way of a version. */
interface Measurement {
  measurand: string;
  value: number;
  unit: string;
  location: 'Outlet' | 'EV' | 'Body';
}

/** The values of a reading in the order they are sent, rounded to a tenth as meters show them. */
export function measurements(reading: Reading): Measurement[] {
  const list: Measurement[] = [];
  const add = (
    measurand: string,
    value: number | undefined,
    unit: string,
    location: Measurement['location'],
  ): void => {
    if (value !== undefined) list.push({ measurand, value: tenth(value), unit, location });
  };
  add('Energy.Active.Import.Register', reading.energyWh, 'Wh', 'Outlet');
  add('Power.Active.Import', reading.powerW, 'W', 'Outlet');
  add('Current.Import', reading.currentA, 'A', 'Outlet');
  add('Voltage', reading.voltageV, 'V', 'Outlet');
  add('SoC', reading.socPercent, 'Percent', 'EV');
  add('Temperature', reading.temperatureC, 'Celsius', 'Body');
  return list;
}

/** Rounded to one decimal place. */
export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
