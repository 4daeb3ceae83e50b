import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { formatReport } from './report.ts';
import { readReports, type Reports } from './reports.ts';
import { costsTable, examplesTable } from '#bench/sizing/format.ts';
import { type Chart, chartsOf } from './charts.ts';
import { goalsTable } from './goals.ts';
import { machineLines, reportsTable, summaryTable } from './tables.ts';

/** Directory of the committed reports, from the root. */
export const committedResults = 'bench/results';

/** Documents with blocks of numbers, from the root. */
export const documents = ['docs/performance.md', 'docs/performance/sizing.md'] as const;

const block = /<!-- results: ([\w. -]+) -->\n.*?<!-- \/results -->/gs;

/** Formats the reports and draws the charts alongside them. Committed reports also get their numbers into the documents. */
export function publishResults(directory: string): string[] {
  const reports = readReports(directory);
  const written: string[] = [];
  const write = (path: string, content: string): void => {
    writeFileSync(path, content);
    written.push(path);
  };
  for (const report of reports.values())
    write(join(directory, `${report.scenario}.md`), formatReport(report));
  for (const { file, svg } of chartsOf(reports)) if (svg !== null) write(join(directory, file), svg);
  if (directory !== committedResults) return written;
  for (const document of documents) {
    write(document, withResults(readFileSync(document, 'utf8'), document, reports));
  }
  return written;
}

/** Returns a document with the numbers and charts of reports in its marked blocks. */
export function withResults(content: string, document: string, reports: Reports): string {
  const charts = chartsOf(reports);
  const results = relative(dirname(document), committedResults);
  return content.replaceAll(block, (_, name: string) => {
    const lines = linesOf(name, reports, charts, results);
    return [`<!-- results: ${name} -->`, '', ...lines, '', '<!-- /results -->'].join('\n');
  });
}

function linesOf(name: string, reports: Reports, charts: readonly Chart[], results: string): string[] {
  const linked = (lines: string[]): string[] =>
    lines.map((line) => line.replaceAll(/\]\(([\w-]+\.md)\)/g, `](${results}/$1)`));
  const chart = charts.find(({ file }) => file === name);
  if (chart !== undefined) {
    const { svg, title, scenario } = chart;
    return svg === null
      ? [`Not measured yet: \`npm run bench -- ${scenario}\`.`]
      : [`![${title}](${results}/${chart.file})`];
  }
  switch (name) {
    case 'machine':
      return machineLines(reports);
    case 'summary':
      return summaryTable(reports);
    case 'goals':
      return linked(goalsTable(reports));
    case 'reports':
      return linked(reportsTable(reports));
    case 'costs':
      return costsTable(reports);
    case 'examples':
      return examplesTable(reports);
    default:
      throw new Error(`there is no block of results named ${name}`);
  }
}
