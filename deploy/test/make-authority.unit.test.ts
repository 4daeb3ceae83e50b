import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { testDirectory } from '#shared/certificates/test/support/signing-request.ts';

const root = join(import.meta.dirname, '../..');

/** Runs `npm run authority` with these arguments, without npm. */
function makeAuthority(...args: string[]): Promise<{ stdout: string }> {
  const command = ['deploy/run.js', 'deploy/start/make-authority.ts', ...args];
  return promisify(execFile)(process.execPath, command, { cwd: root });
}

void t.test('the command makes an authority once and keeps it', async (t) => {
  const directory = join(testDirectory(t), 'authority');
  t.match((await makeAuthority(directory)).stdout, directory);
  t.strictSame(readdirSync(directory).toSorted(), ['key.pem', 'root.pem']);
  const made = readFileSync(join(directory, 'root.pem'), 'utf8');
  await makeAuthority(directory);
  t.equal(readFileSync(join(directory, 'root.pem'), 'utf8'), made);
});

void t.test('the command requires a directory', async (t) => {
  await t.rejects(makeAuthority(), { message: /npm run authority -- DIRECTORY/ });
});
