import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { catalogueTables } from './table.ts';

const document = join(import.meta.dirname, '../../../../docs/events.md');

/** Returns `docs/events.md` as it is stored, and as it is with the present catalogue. */
export async function eventDocument(): Promise<{ stored: string; present: string }> {
  const stored = await readFile(document, 'utf8');
  const present = stored.replace(
    /<!-- catalogue -->.*<!-- \/catalogue -->/s,
    () => `<!-- catalogue -->\n${catalogueTables()}\n<!-- /catalogue -->`,
  );
  return { stored, present };
}

/** Writes the tables of `docs/events.md`. */
export async function writeEventDocument(): Promise<void> {
  await writeFile(document, (await eventDocument()).present);
}
