/** Writes the validators and types of every OCPP version into `shared/ocpp/generated/`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { generatedFiles } from './generator/files.ts';

const folder = new URL('./generated/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, text] of generatedFiles()) writeFileSync(new URL(name, folder), text);
