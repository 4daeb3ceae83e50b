import type { Values } from '../../../ui/chart/series.ts';
import type { HistoryChart } from './history-charts.ts';

/** Returns the numbers of the charts as CSV: the beginning of each bucket, and mean, lowest and highest value per series. */
export function historyCsv({ times, charts }: { times: number[]; charts: HistoryChart[] }): string {
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
    [new Date(time * 1000).toISOString(), ...columns.map(({ values }) => values[index] ?? '')].join(','),
  );
  return [['time', ...columns.map(({ name }) => name)].join(','), ...rows, ''].join('\r\n');
}

/** Saves the shown numbers as a file. */
export function downloadCsv(uid: string, data: { times: number[]; charts: HistoryChart[] }): void {
  const address = URL.createObjectURL(new Blob([historyCsv(data)], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${uid}-readings.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
