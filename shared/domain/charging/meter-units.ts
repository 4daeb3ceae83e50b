/** Returns a value of one unit in the product's unit of the same quantity. */
type Conversion = (value: number) => number;

/** Conversions by unit, as OCPP spells it. A Map, because chargers send names such as `constructor`. */
export type Units = ReadonlyMap<string, Conversion>;

export function unitsOf(conversions: Record<string, Conversion>): Units {
  return new Map(Object.entries(conversions));
}

/** Spellings that chargers use in addition to OCPP's, in lower case. `Celcius` was in OCPP 1.6 before its errata. */
const spellings: ReadonlyMap<string, string> = new Map([
  ['wh', 'Wh'],
  ['watthour', 'Wh'],
  ['watthours', 'Wh'],
  ['kwh', 'kWh'],
  ['kilowatthour', 'kWh'],
  ['kilowatthours', 'kWh'],
  ['w', 'W'],
  ['watt', 'W'],
  ['watts', 'W'],
  ['kw', 'kW'],
  ['kilowatt', 'kW'],
  ['kilowatts', 'kW'],
  ['a', 'A'],
  ['amp', 'A'],
  ['amps', 'A'],
  ['ampere', 'A'],
  ['amperes', 'A'],
  ['v', 'V'],
  ['volt', 'V'],
  ['volts', 'V'],
  ['percent', 'Percent'],
  ['celsius', 'Celsius'],
  ['celcius', 'Celsius'],
  ['c', 'Celsius'],
  ['°c', 'Celsius'],
  ['fahrenheit', 'Fahrenheit'],
  ['f', 'Fahrenheit'],
  ['°f', 'Fahrenheit'],
  ['k', 'K'],
  ['kelvin', 'K'],
]);

/** Returns the conversion of a unit in any spelling; undefined: the quantity has no such unit. */
export function conversionOf(units: Units, unit: string): Conversion | undefined {
  return units.get(unit) ?? units.get(spellings.get(unit.trim().toLowerCase()) ?? '');
}

/**
 * Decimal, and nothing else that `Number` reads, such as 0x1F or an empty text. There is one way to read each digit:
 * two would be tried in every combination on a long text, and the whole shard would wait for it.
 */
const decimal = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i;

/** Reads a number as chargers write it; some write a decimal comma. Null: it is no number. */
export function readNumber(value: number | string, factor = 1): number | null {
  if (typeof value === 'number') return finite(value * factor);
  if (isPlainDecimal(value)) return Number(value) * factor;
  const text = value.trim();
  if (!decimal.test(text)) return null;
  return finite(Number(text.replace(',', '.')) * factor);
}

/** Maximum length of the values that are read without a pattern: nearly all are shorter. */
const plainDecimalLength = 15;

/** Returns true for digits with at most one point between them. */
function isPlainDecimal(text: string): boolean {
  const last = text.length - 1;
  if (last < 0 || last >= plainDecimalLength) return false;
  let points = 0;
  for (let index = 0; index <= last; index += 1) {
    const sign = text.charCodeAt(index);
    if (sign === 46 && index > 0 && index < last) points += 1;
    else if (sign < 48 || sign > 57) return false;
  }
  return points <= 1;
}

function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}

/** Three decimals: a milliwatt-hour is far below what any meter resolves, and 0.1 + 0.2 stays 0.3. */
export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
