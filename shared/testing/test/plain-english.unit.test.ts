import t from 'tap';
import { lint } from './support/lint.ts';

const rules = ['doc-comment-opener', 'retired-phrase'];
const openers = ['What', 'Who', 'Whose', 'How', 'Where', 'When', 'Whether', 'Why', 'It'];

void t.test('refuses doc comments that open with a question word or "It"', async (t) => {
  const source = openers.map((opener, index) => `/** ${opener} it holds. */\nexport const c${index} = 0;`);
  const found = await lint(
    t,
    'plain-english',
    rules,
    `${source.join('\n')}\n/**\n * Who asks.\n */\nexport const last = 0;\n`,
  );
  const expected = [...openers, 'Who'].map(
    (opener) => `A doc comment opens with a verb in the third person or a noun phrase, not with "${opener}".`,
  );
  t.same(found.map(({ message }) => message).toSorted(), expected.toSorted());
});

void t.test('refuses retired phrases in comments, texts and names', async (t) => {
  const source = `// The partner is told once.
/** Price of a session, priced anew. */
export const mostRows = 5;
throw new Error('The store is out of reach.');
// Ignores what
// may be sent.
export const title = 'a start that is asked for';
// Somebody waits beside it for ever, and nobody answers: a reply is none.
`;
  const found = await lint(t, 'plain-english', rules, source);
  t.same(found.map(({ message }) => /"([^"]+)"/.exec(message)?.[1] ?? '').toSorted(), [
    'Somebody',
    'anew',
    'beside',
    'for ever',
    'is asked for',
    'is none',
    'mostRows',
    'nobody',
    'out of reach',
    'told',
    'what\n// may be',
  ]);
});

void t.test('accepts noun phrases, verbs in the third person and ordinary words', async (t) => {
  const source = `/** Returns the few places that are mostly free. */
// The user nobody@host; none of them.
export const mostly = 'Where the charger stands, when it does.';
// What this does is out of scope; Fastify took the request back.
export const toldAt = 0;
`;
  t.same(await lint(t, 'plain-english', rules, source), []);
});
