import { setFlagsFromString } from 'node:v8';
import '#shared/stripping/hooks.js';

// Every command of package.json goes through here: it is plain JavaScript, so that a Node that is too old to run
// TypeScript can still say what to do.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `chargeway runs on Node.js 22.18 or newer; this is ${process.versions.node}.\n` +
      'Start it with npm (`npm start`): npm scripts use the Node.js that `npm ci` installed with the project.',
  );
  process.exit(1);
}

// A heap may double before its old part is collected. By itself V8 lets it grow to four times what lives in it where there
// is memory for that: an export of a million rows then takes 150 MB that hold nothing (ADR 26).
setFlagsFromString('--heap-growing-percent=100');

const [, , entry] = process.argv;
await import(new URL(`../${entry}`, import.meta.url).href);
