import { buildConsole } from './bundle.ts';
import { isConsoleBuilt } from './sources.ts';

// `npm run console:build`: builds the console where its sources changed since the last build.
if (!(await isConsoleBuilt())) await buildConsole();
