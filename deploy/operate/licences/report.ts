import { runMain } from '#shared/config/run.ts';
import { billOfMaterials } from './inventory.ts';
import { isPermitted, licenceOf } from './licences.ts';

/**
 * `npm run licences`: prints the licence of each package that is shipped. Ends with exit code 1 when one is not permitted.
 * `npm run sbom` (with `--sbom`) prints the bill of materials (CycloneDX 1.5) instead.
 */
async function main(): Promise<void> {
  const bill = await billOfMaterials();
  if (process.argv.includes('--sbom')) {
    console.log(JSON.stringify(bill, null, 2));
    return;
  }
  const rows = bill.components
    .map((component) => ({ ...component, licence: licenceOf(component) ?? 'none' }))
    .toSorted((one, other) => one.licence.localeCompare(other.licence) || one.name.localeCompare(other.name));
  for (const { licence, name, version } of rows) console.log(`${licence.padEnd(24)} ${name} ${version}`);
  const refused = rows.filter(({ licence }) => !isPermitted(licence));
  if (refused.length === 0) return;
  throw new Error(`Not permitted: ${refused.map(({ name, licence }) => `${name} (${licence})`).join(', ')}`);
}

await runMain(main);
