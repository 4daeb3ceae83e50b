import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { groupUnitTests } from './groups.ts';
import { plainNodeArguments } from './plain-node.ts';
import { installHint, missingPackages } from './programs.ts';

/**
 * `npm run test:unit`: runs the tests that need no store. The processes of the groups write TAP themselves: starting them
 * through tap takes 4 s. The output of a group is printed whole when a test of it fails, else its summary.
 */
async function main(): Promise<number> {
  const missing = missingPackages(['openssl']);
  if (missing.length > 0) {
    console.error(installHint(missing));
    return 1;
  }
  const passed = await Promise.all((await groupUnitTests()).map(runGroup));
  return passed.every(Boolean) ? 0 : 1;
}

async function runGroup(file: string): Promise<boolean> {
  const child = spawn(process.execPath, plainNodeArguments(file), { stdio: ['ignore', 'pipe', 'inherit'] });
  const exitCode = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const output = await text(child.stdout);
  const passed = (await exitCode) === 0;
  console.log(passed ? output.trimEnd().split('\n').slice(-2).join('\n') : output);
  return passed;
}

process.exitCode = await main();
