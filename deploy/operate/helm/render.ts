import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { runMain } from '#shared/config/run.ts';
import { plainManifests, renderChart, requiredValues } from './helm.ts';

/** Text before the rendered manifests. */
export const heading =
  '# Rendered from deploy/operate/helm/chargeway by `npm run helm:render`; docs/kubernetes.md#without-helm explains how to use it.\n';

/** `npm run helm:render`: writes the plain manifests. */
async function main(): Promise<void> {
  await mkdir(dirname(plainManifests), { recursive: true });
  await writeFile(plainManifests, heading + (await renderChart([], requiredValues)));
}

if (process.argv[2]?.endsWith('render.ts')) await runMain(main);
