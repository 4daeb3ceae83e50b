import { readFileSync } from 'node:fs';

/**
 * Returns an example of the standard: Open Charge Point Interface, © EVRoaming Foundation, under CC BY-ND 4.0,
 * https://github.com/ocpi/ocpi. Those of 2.1.1 are in the documents of the release 2.1.1-d2, those of 2.3.0 in `examples/` at the
 * commit 94c95e4e. Only white space was changed. 2.1.1 has none of commands, and 2.3.0 none of its own of locations, tokens and
 * credentials.
 */
export function exampleOf(version: '211' | '230', name: string): Record<string, unknown> {
  const file = new URL(`./examples-${version}/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}
