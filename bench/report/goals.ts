import { formatGoal, formatNumber, meets } from '#bench/report/number-format.ts';
import { table } from '#bench/report/report-tables.ts';
import type { Reports } from '#bench/report/reports.ts';
import type { Ratio } from '#bench/scenarios/scenario.ts';
import { isListRead, statementRatio } from './api-reads.ts';

/** Goals that share a row: one row each would hide the others. */
interface GoalGroup {
  scenario: string;
  name: string;
  includes: (what: string) => boolean;
}

/** The ratios of the largest data: ratios of smaller data end with their size. */
const largest = `: ${statementRatio}`;

const groups: readonly GoalGroup[] = [
  {
    scenario: 'api-reads',
    name: `single records, ${statementRatio}`,
    includes: (what) => what.endsWith(largest) && !isListRead(what),
  },
  {
    scenario: 'api-reads',
    name: `lists, ${statementRatio}`,
    includes: (what) => what.endsWith(largest) && isListRead(what),
  },
];

type GoalRatio = Required<Ratio>;

/** Returns a row for each ratio that has a goal, and one for each group of them. */
export function goalsTable(reports: Reports): string[] {
  const rows = [...reports.values()].flatMap(({ scenario, ratios }) => {
    const all = ratios.filter((ratio): ratio is GoalRatio => ratio.goal !== undefined);
    const link = `([${scenario}](${scenario}.md))`;
    const grouped = groups.filter((group) => group.scenario === scenario);
    if (grouped.length === 0) {
      return all.map(({ what, value, goal }) => [
        `${what} ${link}`,
        formatNumber(value),
        formatGoal(goal),
        meets(value, goal),
      ]);
    }
    return grouped.flatMap(({ name, includes }) => {
      const row = groupCells(all.filter(({ what }) => includes(what)));
      return row === null ? [] : [[`${name}: lowest, median, highest ${link}`, ...row]];
    });
  });
  return table(['Ratio', 'Value', 'Goal', ''], rows);
}

function groupCells(ratios: readonly GoalRatio[]): [values: string, goal: string, verdict: string] | null {
  const sorted = ratios.toSorted((a, b) => a.value - b.value);
  const [lowest, median, highest] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  if (lowest === undefined || median === undefined || highest === undefined) return null;
  const met = ratios.filter(({ value, goal }) => meets(value, goal) === 'met').length;
  return [
    [lowest, median, highest].map(({ value }) => formatNumber(value)).join(', '),
    formatGoal(lowest.goal),
    met === ratios.length ? 'met' : `missed by ${ratios.length - met} of ${ratios.length}`,
  ];
}
