import '#shared/stripping/hooks.js';

// Every command of package.json goes through here: it is plain JavaScript, so that a Node that is too old to run
// TypeScript can still say what to do.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `chargeway runs on Node.js 22.18 or newer; this is ${process.versions.node}.\n` +
      'Start it with npm (`npm start`): npm scripts use the Node.js that `npm ci` installed with the project. ' +
      'After `npm ci --ignore-scripts`, run `npm rebuild` first: it installs Node.js and the embedded stores.',
  );
  process.exit(1);
}

const [, , entry] = process.argv;
await import(new URL(`../${entry}`, import.meta.url).href);
