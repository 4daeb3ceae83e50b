import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

// Removes 450 MB of files that packages contain for other systems, for compilers and for debuggers, and of unused fonts. npm runs this at the end of an
// installation; after `--ignore-scripts` nothing is missing. Plain JavaScript: an older Node.js may run it.

const packages = join(import.meta.dirname, '../node_modules');

// uWebSockets.js contains a binary for each system and version of Node.js.
const binaries = join(packages, 'uWebSockets.js/dist/bin');
const used = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
if (existsSync(join(binaries, used))) {
  for (const name of readdirSync(binaries)) if (name !== used) rmSync(join(binaries, name));
}

// Headers of Node.js serve to compile add-ons. Ours are prebuilt.
const runtimes = join(packages, 'node/node_modules');
if (existsSync(runtimes)) {
  for (const name of readdirSync(runtimes)) {
    const headers = join(runtimes, name, 'include');
    if (existsSync(headers)) rmSync(headers, { recursive: true });
  }
}

// Documents use two weights of the nine of a font.
const fonts = join(packages, '@expo-google-fonts');
for (const family of existsSync(fonts) ? readdirSync(fonts) : []) {
  for (const name of readdirSync(join(fonts, family))) {
    const isUnused = /^\d00/.test(name) && !['400Regular', '700Bold'].includes(name);
    if (isUnused) rmSync(join(fonts, family, name), { recursive: true });
  }
}

// Source maps show the sources of packages in a debugger. Links lead to folders of the project, which are not entered.
/** @param {string} folder */
function removeSourceMaps(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeSourceMaps(path);
    else if (entry.isFile() && entry.name.endsWith('.map')) rmSync(path);
  }
}
if (existsSync(packages)) removeSourceMaps(packages);
