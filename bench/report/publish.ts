import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { billsTable, costsTable, examplesTable } from '#bench/sizing/format.ts';
import { goalsTable } from './goals.ts';
import { formatReport } from './report.ts';
import { formatSeries } from './report-tables.ts';
import { readReports, type Reports } from './reports.ts';
import { machineLines, reportsTable, summaryTable } from './tables.ts';

/** Directory of the committed reports, from the root. */
export const committedResults = 'bench/results';

/** Documents with blocks of numbers, from the root. */
export const documents = ['docs/performance.md', 'docs/performance/sizing.md'] as const;

const blocks: Record<string, (reports: Reports) => string[]> = {
  machine: machineLines,
  summary: summaryTable,
  goals: goalsTable,
  reports: reportsTable,
  costs: costsTable,
  examples: examplesTable,
  bills: billsTable,
};

/** Formats the reports of a directory. Committed reports also get their numbers into the documents. */
export function publishResults(directory: string): string[] {
  const reports = readReports(directory);
  const contents = new Map(
    [...reports.values()].map((report) => [join(directory, `${report.scenario}.md`), formatReport(report)]),
  );
  for (const document of directory === committedResults ? documents : []) {
    contents.set(document, withResults(readFileSync(document, 'utf8'), document, reports));
  }
  for (const [path, content] of contents) writeFileSync(path, content);
  return [...contents.keys()];
}

/** Returns a document with the numbers of reports in its marked blocks: `summary`, or `series of meter-curve`. */
export function withResults(content: string, document: string, reports: Reports): string {
  const results = relative(dirname(document), committedResults);
  return content.replaceAll(/<!-- results: ([\w -]+) -->\n.*?<!-- \/results -->/gs, (_, name: string) => {
    const lines = linesOf(name, reports).map((line) =>
      line.replaceAll(/\]\(([\w-]+\.md)\)/g, `](${results}/$1)`),
    );
    return [`<!-- results: ${name} -->`, '', ...lines, '', '<!-- /results -->'].join('\n');
  });
}

function linesOf(name: string, reports: Reports): string[] {
  const series = name.startsWith('series of ')
    ? reports.get(name.slice('series of '.length))?.series
    : undefined;
  if (series !== undefined) return formatSeries(series).slice(0, -1);
  const block = blocks[name];
  if (block === undefined) throw new Error(`there is no block of results named ${name}`);
  return block(reports);
}
