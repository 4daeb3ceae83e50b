import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runMain } from '#shared/config/run.ts';
import { dashboards } from './dashboards.ts';

/** Directory of the generated dashboards, which Grafana is given. */
export const generated = join(import.meta.dirname, 'dashboards');

/** Returns the contents of a dashboard's file. */
export const fileOf = (dashboard: object): string => `${JSON.stringify(dashboard, null, 2)}\n`;

/** `npm run grafana:build`: writes the dashboards. */
async function main(): Promise<void> {
  await mkdir(generated, { recursive: true });
  for (const [name, dashboard] of Object.entries(dashboards())) {
    await writeFile(join(generated, `${name}.json`), fileOf(dashboard));
  }
}

if (process.argv[2]?.endsWith('build.ts')) await runMain(main);
