import { groupUnitTests } from './groups.ts';
import { installHint, missingPackages } from './programs.ts';
import { runTap } from './tap.ts';

/** `npm run test:unit`: runs the tests that need no store, with the options of tap given (as `--option=value`). */
async function main(options: string[]): Promise<number> {
  const missing = missingPackages(['openssl']);
  if (missing.length > 0) {
    console.error(installHint(missing));
    return 1;
  }
  return runTap([...options, ...(await groupUnitTests())]);
}

process.exitCode = await main(process.argv.slice(3));
