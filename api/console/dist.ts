import { join } from 'node:path';

/** Folder of the built console, which images contain and checkouts build. */
export const consoleDist = join(import.meta.dirname, 'dist');
