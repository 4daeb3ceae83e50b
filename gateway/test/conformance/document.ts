import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { profiles } from './profiles.ts';
import type { Case, Profile } from './steps.ts';

const document = join(import.meta.dirname, '../../../docs/conformance.md');
const suite = 'gateway/test/conformance/conformance.test.ts';

/** Returns `docs/conformance.md` as it is stored, and as it is with the present cases. */
export async function conformanceDocument(): Promise<{ stored: string; present: string }> {
  const stored = await readFile(document, 'utf8');
  const present = stored.replace(
    /<!-- cases -->.*<!-- \/cases -->/s,
    () => `<!-- cases -->\n\n${[summary(), ...profiles.map(section)].join('\n\n')}\n\n<!-- /cases -->`,
  );
  return { stored, present };
}

/** Writes the tables of `docs/conformance.md`. */
export async function writeConformanceDocument(): Promise<void> {
  await writeFile(document, (await conformanceDocument()).present);
}

const nameOf = ({ version, name }: Profile) => `OCPP ${version}: ${name}`;

function summary(): string {
  const rows = profiles.map((profile) => {
    const count = (kind: Case['kind']) => profile.cases.filter((one) => one.kind === kind).length;
    return `| ${nameOf(profile)} | ${profile.cases.length} | ${count('tested')} | ${count('tested-elsewhere')} | ${count('missing')} |`;
  });
  return [
    '| Profile | Cases | Tested with a raw station | Tested through the TLS proxy | Not fulfilled |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function section(profile: Profile): string {
  const head = ['| Case | The central system | Test | Result |', '| --- | --- | --- | --- |'];
  return [`## ${nameOf(profile)}`, '', ...head, ...profile.cases.map(row)].join('\n');
}

function row(one: Case): string {
  const named = `| ${one.id}_CSMS | ${one.requires}`;
  if (one.kind === 'missing') return `${named} | none | not fulfilled: ${one.reason} |`;
  const file = one.kind === 'tested' ? suite : one.file;
  return `${named} | [${file.split('/').at(-1)}](../${file}) | passed |`;
}
