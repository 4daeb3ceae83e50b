import t from 'tap';
import { type Json, startTestApi } from '#api/test/support/fixtures.ts';
import { operationsOf, readDocument, readWholeDocument } from '#api/test/support/openapi-document.ts';

const api = await startTestApi(t);
const document = await readDocument(api);

/** Phrases of `docs/glossary.md` that plain English replaces. */
const retired =
  /\b(?:told|tells?|anew|mend(?:ed|s)?|what may be|what there is|who calls|(?:is|are) asked for|taken back|out of reach|put right|says?|said|left out|unless said)\b/iu;
const openers = /^(?:What|Who|Whom|Whose|How|Where|When|Whether|It)\b/u;
const errorCodes = /^[A-Z_]+(?:, [A-Z_]+)*$/u;

/** Returns the summaries and descriptions of a part of the document, with their paths. */
function textsOf(part: unknown, path: string): { path: string; text: string }[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) => {
    const at = `${path}/${name}`;
    const isText = (name === 'description' || name === 'summary') && typeof value === 'string';
    return isText ? [{ path: at, text: value }] : textsOf(value, at);
  });
}

const texts = textsOf(document, '#').filter(({ text }) => !errorCodes.test(text));
const pathsOf = (found: typeof texts) => found.map(({ path, text }) => `${path}: ${text}`);

void t.test('the document has texts', (t) => {
  t.ok(texts.length > 4000, `${texts.length} texts`);
  t.end();
});

void t.test('no text contains a retired phrase', (t) => {
  t.strictSame(pathsOf(texts.filter(({ text }) => retired.test(text))), []);
  t.end();
});

void t.test('no text opens with a question word or a bare "It"', (t) => {
  t.strictSame(pathsOf(texts.filter(({ text }) => openers.test(text))), []);
  t.end();
});

void t.test('every summary is a phrase without a full stop', (t) => {
  const summaries = texts.filter(({ path }) => path.endsWith('/summary'));
  t.ok(summaries.length > 200, `${summaries.length} summaries`);
  t.strictSame(pathsOf(summaries.filter(({ text }) => text.endsWith('.'))), []);
  t.end();
});

/** Returns the paths of patterns without a form in words, which the error of a wrong value names. */
function unnamedPatterns(part: unknown, path: string): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { pattern, 'x-accepts': accepted, description } = part as Record<string, unknown>;
  const own = typeof pattern === 'string' && (accepted ?? description) === undefined ? [path] : [];
  const inner = Object.entries(part).flatMap(([name, value]) => unnamedPatterns(value, `${path}/${name}`));
  return [...own, ...inner];
}

const parametersOf = (operation: Json) =>
  (operation['parameters'] ?? []) as unknown as Record<string, object>[];

void t.test('every pattern of a request names its form in words', async (t) => {
  const operations = operationsOf(await readWholeDocument(api));
  const unnamed = operations.flatMap(({ path, operation }) => [
    // The description of a parameter is next to its schema.
    ...parametersOf(operation).flatMap(({ schema, description }) =>
      unnamedPatterns({ ...(description !== undefined && { description }), ...schema }, path),
    ),
    ...unnamedPatterns(operation['requestBody'], path),
  ]);
  t.strictSame(unnamed, []);
});
