import type { Measurement, Ratio, Series } from '#bench/scenarios/scenario.ts';
import { formatGoal, formatNumber, meets } from './number-format.ts';

/** Subjects that share most of their quantities. */
interface Group {
  subjects: string[];
  quantities: string[];
}

/** Subject that was measured with several sizes of data: `EVSE, operator, 2,000 sessions`. */
const sized = /^(.+), ([\d,]+ \w+)$/;

/** Ratio of one subject: `EVSE, operator: requests per second by bare Fastify, 2,000 sessions`. */
const ratioOfSubject = /^(.+?): (.+?)(?:, ([\d,]+ \w+))?$/;

/** Formats a Markdown table; all columns but the first hold numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/**
 * Formats the numbers of a report: a table for each group of subjects that share quantities, and one for each size of
 * data. The longer dimension becomes rows. A ratio stands in the row of its subject where subjects are rows, else in a
 * table of ratios.
 */
export function formatTables(measurements: readonly Measurement[], ratios: readonly Ratio[]): string[] {
  const cells = new Cells(measurements);
  const lines: string[] = [];
  const placed = new Set<Ratio>();
  for (const group of groupsOf(measurements)) {
    if (group.subjects.length <= group.quantities.length) {
      lines.push(...quantitiesAsRows(group, cells));
      continue;
    }
    const sizes = sizesOf(group.subjects);
    for (const [size, subjects] of sizes) {
      const own = new Map(
        ratios.flatMap((ratio): [string, Ratio][] => {
          const [, name, , at] = ratioOfSubject.exec(ratio.what) ?? [];
          // The largest data is last, and its ratios name no size.
          const isOfSize = (at ?? sizes.at(-1)?.[0]) === size;
          return name !== undefined && isOfSize && subjects.has(name) ? [[name, ratio]] : [];
        }),
      );
      for (const ratio of own.values()) placed.add(ratio);
      if (size !== '') lines.push(`## ${size}`, '');
      lines.push(...subjectsAsRows(group.quantities, subjects, own, cells));
    }
  }
  return [...lines, ...ratioTable(ratios.filter((ratio) => !placed.has(ratio)))];
}

/** Maximum number of points of a series in a table. */
const maxRows = 12;

/** Formats the series of a report: a table for each pair of axes, with a row for each value of the first axis. */
export function formatSeries(all: readonly Series[]): string[] {
  return [...Map.groupBy(all, ({ x, y }) => JSON.stringify([x, y])).values()].flatMap((series) => {
    const [{ x, y } = { x: '', y: '' }] = series;
    const values = [...new Set(series.flatMap(({ points }) => points.map(([at]) => at)))].toSorted(
      (a, b) => a - b,
    );
    const step = Math.ceil(values.length / maxRows);
    const shown = values.filter((_, index) => index % step === 0 || index === values.length - 1);
    return [
      ...table(
        [capitalized(x), ...series.map(({ name }) => `${name}: ${y}`)],
        shown.map((at) => [
          formatNumber(at),
          ...series.map(({ points }) => {
            const point = points.find(([own]) => own === at);
            return point === undefined ? '' : formatNumber(point[1]);
          }),
        ]),
      ),
      '',
    ];
  });
}

/** Values by subject and quantity. */
class Cells {
  readonly #values = new Map<string, number>();

  constructor(measurements: readonly Measurement[]) {
    for (const one of measurements)
      this.#values.set(JSON.stringify([one.subject, quantityOf(one)]), one.value);
  }

  get(subject: string, quantity: string): string {
    const value = this.#values.get(JSON.stringify([subject, quantity]));
    return value === undefined ? '' : formatNumber(value);
  }
}

function quantityOf({ what, unit }: Measurement): string {
  return unit === '' ? what : `${what}, ${unit}`;
}

/** Joins subjects, in order, that share at least half of the quantities of either. */
function groupsOf(measurements: readonly Measurement[]): Group[] {
  const bySubject = Map.groupBy(measurements, ({ subject }) => subject);
  const groups: { subjects: string[]; quantities: Set<string> }[] = [];
  for (const [subject, own] of bySubject) {
    const quantities = own.map(quantityOf);
    const group = groups.find((one) => {
      const shared = quantities.filter((quantity) => one.quantities.has(quantity)).length;
      return shared * 2 >= Math.min(quantities.length, one.quantities.size);
    });
    if (group === undefined) groups.push({ subjects: [subject], quantities: new Set(quantities) });
    else {
      group.subjects.push(subject);
      for (const quantity of quantities) group.quantities.add(quantity);
    }
  }
  return groups.map(({ subjects, quantities }) => ({ subjects, quantities: [...quantities] }));
}

/** Returns the subjects of each size of data by their name without it; `''` for those without a size. */
function sizesOf(subjects: readonly string[]): [size: string, byName: Map<string, string>][] {
  const sizes = new Map<string, Map<string, string>>();
  for (const subject of subjects) {
    const [, name = subject, size = ''] = sized.exec(subject) ?? [];
    const own = sizes.get(size) ?? new Map<string, string>();
    sizes.set(size, own.set(name, subject));
  }
  return [...sizes];
}

function quantitiesAsRows({ subjects, quantities }: Group, cells: Cells): string[] {
  return [
    ...table(
      ['', ...subjects],
      quantities.map((quantity) => [quantity, ...subjects.map((subject) => cells.get(subject, quantity))]),
    ),
    '',
  ];
}

function subjectsAsRows(
  all: readonly string[],
  subjects: ReadonlyMap<string, string>,
  ratios: ReadonlyMap<string, Ratio>,
  cells: Cells,
): string[] {
  const quantities = all.filter((quantity) =>
    [...subjects.values()].some((subject) => cells.get(subject, quantity) !== ''),
  );
  const [first] = ratios.values();
  const ratioName = first === undefined ? null : (ratioOfSubject.exec(first.what)?.[2] ?? '');
  return [
    ...table(
      ['', ...(ratioName === null ? [] : [capitalized(ratioName), 'Goal', 'Verdict']), ...quantities],
      [...subjects].map(([name, subject]) => [
        name,
        ...(ratioName === null ? [] : ratioCells(ratios.get(name))),
        ...quantities.map((quantity) => cells.get(subject, quantity)),
      ]),
    ),
    '',
  ];
}

function ratioTable(ratios: readonly Ratio[]): string[] {
  if (ratios.length === 0) return [];
  return [
    ...table(
      ['Ratio', 'Value', 'Goal', 'Verdict'],
      ratios.map((ratio) => [ratio.what, ...ratioCells(ratio)]),
    ),
    '',
  ];
}

function ratioCells(ratio: Ratio | undefined): [value: string, goal: string, verdict: string] {
  if (ratio === undefined) return ['', '', ''];
  const { value, goal } = ratio;
  return [
    formatNumber(value),
    ...(goal === undefined ? (['', ''] as const) : ([formatGoal(goal), meets(value, goal)] as const)),
  ];
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
