import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { acceptedBreaks } from '#api/test/baseline/accepted-breaks.ts';
import { breakingChanges } from '#api/test/support/compatibility/breaking-changes.ts';
import { type Contract, contractOf } from '#api/test/support/compatibility/contract.ts';
import { startTestApi } from '#api/test/support/fixtures.ts';
import { readDocument } from '#api/test/support/openapi-document.ts';

const baseline = join(import.meta.dirname, '../baseline/openapi.json.gz');

void t.test('the API breaks no client of the baseline', async (t) => {
  const now = contractOf(await readDocument(await startTestApi(t)));
  if (process.env['OPENAPI_BASELINE'] === 'write') {
    await writeFile(baseline, gzipSync(JSON.stringify(now), { level: 9 }));
  }
  const before = JSON.parse(gunzipSync(await readFile(baseline)).toString()) as Contract;
  const breaks = breakingChanges(before, now);
  t.same(
    breaks.filter((change) => !(change in acceptedBreaks)),
    [],
    'keep the old form, or accept the break in accepted-breaks.ts and docs/CHANGELOG.md',
  );
  t.same(
    Object.keys(acceptedBreaks).filter((change) => !breaks.includes(change)),
    [],
    'accepted entries that break nothing',
  );
});

void t.test('the baseline has the operations, webhooks and error codes of a release', async (t) => {
  const before = JSON.parse(gunzipSync(await readFile(baseline)).toString()) as Contract;
  t.ok(Object.keys(before.paths).length > 200);
  t.ok(Object.keys(before.webhooks).length > 50);
  t.ok(before.errorCodes.includes('VALIDATION_FAILED'));
});
