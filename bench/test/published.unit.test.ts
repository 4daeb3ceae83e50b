import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { committedResults, documents, withResults } from '#bench/report/publish.ts';
import { formatReport } from '#bench/report/report.ts';
import { readReports } from '#bench/report/reports.ts';

const root = join(import.meta.dirname, '../..');
const reports = readReports(join(root, committedResults));
const remedy = 'otherwise run: npm run bench -- documents';

for (const document of documents) {
  void t.test(`${document} has the numbers of the committed reports`, async (t) => {
    const content = readFileSync(join(root, document), 'utf8');
    t.equal(withResults(content, document, reports), content, remedy);
  });
}

void t.test('committed reports are formatted from their numbers', async (t) => {
  for (const report of reports.values()) {
    const path = join(root, committedResults, `${report.scenario}.md`);
    t.equal(readFileSync(path, 'utf8'), formatReport(report), remedy);
  }
});

void t.test('a document with numbers of another run is found', async (t) => {
  const stale = '<!-- results: machine -->\n\n- Commit of yesterday\n\n<!-- /results -->';
  t.not(withResults(stale, documents[0], reports), stale);
});

void t.test('a block without a meaning is refused', async (t) => {
  const unknown = '<!-- results: weather -->\n<!-- /results -->';
  t.throws(() => withResults(unknown, documents[0], reports), {
    message: /no block of results named weather/,
  });
});
