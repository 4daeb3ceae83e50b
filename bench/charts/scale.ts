/** Maps values of an axis to positions. */
export interface Scale {
  ticks: number[];
  isLogarithmic: boolean;
  position(value: number): number;
}

/** An axis is logarithmic when its largest value is that many times the smallest. */
const logarithmicFrom = 30;

/** Creates a scale from zero, or a logarithmic one where values differ much and all are above zero. */
export function scaleOf(values: readonly number[], from: number, to: number): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (least > 0 && most / least >= logarithmicFrom) return logarithmic(least, most, from, to);
  const step = niceStep(most / 5);
  const end = Math.max(step, Math.ceil(most / step - 1e-9) * step);
  return {
    ticks: Array.from({ length: Math.round(end / step) + 1 }, (_, index) =>
      Number((index * step).toPrecision(12)),
    ),
    isLogarithmic: false,
    position: (value) => from + (value / end) * (to - from),
  };
}

/** Values over more decades have ticks at powers of ten only. */
const maxDenseDecades = 2.5;

/** Begins and ends at 1, 2 or 5 times a power of ten, or at powers of ten. */
function logarithmic(least: number, most: number, from: number, to: number): Scale {
  const isDense = Math.log10(most / least) <= maxDenseDecades;
  const low = isDense ? niceStep(least * 1.0001, 'down') : 10 ** Math.floor(Math.log10(least));
  const high = isDense ? niceStep(most * 0.9999) : 10 ** Math.ceil(Math.log10(most));
  const decades = Math.log10(high / low);
  const ticks: number[] = [];
  for (let tick = low; tick <= high * 1.0001; tick = isDense ? next(tick) : tick * 10) ticks.push(tick);
  return {
    ticks,
    isLogarithmic: true,
    position: (value) => from + (Math.log10(value / low) / decades) * (to - from),
  };
}

function next(tick: number): number {
  return niceStep(tick * 1.01);
}

/** Returns 1, 2 or 5 times a power of ten: the smallest that is at least the value, or the largest that is at most. */
export function niceStep(value: number, direction: 'up' | 'down' = 'up'): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const factors = [1, 2, 5, 10];
  const factor =
    direction === 'up'
      ? (factors.find((one) => one * power >= value) ?? 10)
      : (factors.findLast((one) => one * power <= value) ?? 1);
  return Number((factor * power).toPrecision(12));
}
