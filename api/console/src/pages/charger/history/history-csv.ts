import type { Values } from '../../../ui/chart/series.ts';
import { csvLine, saveCsv } from '../../../ui/csv.ts';
import type { HistoryChart } from './history-charts.ts';

/**
 * Saves the numbers of the charts as CSV: the beginning of each bucket, and mean, lowest and highest value per series.
 */
export function downloadCsv(
  uid: string,
  { times, charts }: { times: number[]; charts: HistoryChart[] },
): void {
  const columns: { name: string; values: Values }[] = [];
  for (const { series, unit } of charts) {
    for (const { id, mean, minimum, maximum } of series) {
      const name = `${id} (${unit})`;
      if (minimum === undefined || maximum === undefined) columns.push({ name, values: mean });
      else
        columns.push(
          { name: `${name} mean`, values: mean },
          { name: `${name} min`, values: minimum },
          { name: `${name} max`, values: maximum },
        );
    }
  }
  const rows = times.map((time, index) =>
    csvLine([new Date(time * 1000).toISOString(), ...columns.map(({ values }) => values[index] ?? null)]),
  );
  saveCsv(`${uid}-readings`, [csvLine(['time', ...columns.map(({ name }) => name)]), ...rows]);
}
