import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { featuresOf, ocppVersions, shortestIdTokenLimit } from '#shared/domain/fleet/ocpp-version.ts';

const root = join(import.meta.dirname, '../../..');

void t.test('has the features of each version', (t) => {
  for (const version of ocppVersions) t.type(featuresOf(version).maxIdTokenLength, 'number', version);
  t.equal(featuresOf('1.6').hasDeviceModel, false);
  t.equal(featuresOf('2.0.1').hasDeviceModel, true);
  t.equal(shortestIdTokenLimit, 20);
  t.end();
});

void t.test('treats an unknown version as no version', (t) => {
  for (const version of [null, '', '1.5', '9.9', 'constructor', '__proto__']) {
    t.equal(featuresOf(version), null, String(version));
  }
  t.end();
});

void t.test('compares no version where a feature is meant', (t) => {
  const files = execFileSync('git', ['ls-files', 'api', 'deploy', 'gateway', 'shared'], {
    cwd: root,
    encoding: 'utf8',
  });
  const sources = files.split('\n').filter((path) => /\.tsx?$/.test(path) && !path.includes('/test/'));
  const comparison = new RegExp(
    `[!=]== '(?:${ocppVersions.map((version) => version.replaceAll('.', String.raw`\.`)).join('|')})'`,
  );
  t.same(
    sources.filter((path) => comparison.test(readFileSync(join(root, path), 'utf8'))),
    [],
    'query featuresOf(version)',
  );
  t.end();
});
