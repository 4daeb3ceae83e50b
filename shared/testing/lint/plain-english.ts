/** Part of oxlint's plugin interface that these rules use; the package exports no types for it. */
interface Context {
  sourceCode: { text: string; getLocFromIndex: (index: number) => Location };
  report: (finding: { message: string; loc: { start: Location; end: Location } }) => void;
}

interface Location {
  line: number;
  column: number;
}

interface Rule {
  create: (context: Context) => { Program: () => void };
}

/** Openers refused in doc comments: a doc comment opens with a verb in the third person or a noun phrase. */
const opener = /\/\*\*\s+(?:\*\s+)?(What|Who|Whose|Whom|How|Where|When|Whether|Why|It)\b/g;

/** Retired phrases, and what to write instead. A space also stands for a line break inside a comment. */
const retired: Record<string, string> = {
  told: 'sent, reported, notified, returned or stored',
  anew: 'again, re-priced or re-sent',
  'what may be': 'the noun',
  'what there is': 'the noun',
  'who calls': 'the caller',
  '(?:is|are|was|were|be|been) asked for': 'requested',
  'the word of (?:a|the) partner': "the partner's authorization",
  'tak(?:en|es?|ing) back': 'unbound, reverted, refunded or withdrawn',
  mended: 'fixed or patched',
  'out of reach': 'unreachable or unavailable',
  'puts? right|putting right': 'corrected or normalized',
  '_?most(?!ly)[A-Z]\\w*': 'maxX or a number',
  '(?:[Ss]omebody|[Ww]hoever|[Aa]nybody|[Ee]verybody)':
    'the role (another user, a caller, any vehicle) or an adjective',
  '[Nn]obody(?= [a-z])': 'no user, no process or another noun',
  alone: 'only or by itself',
  '[Bb]eside': 'alongside, in addition to or next to',
  '[Ff]or ever': 'indefinitely',
  'letter by letter': 'exactly',
  'of long ago': 'old',
  'hardly come': 'be unlikely to arrive',
  '(?:find|found)s? out(?: about)?': 'discover, detect or test',
  '(?:is|are|was|were) good(?= (?:for|once|at|no|any))': 'is valid or expires in',
  '(?:is|are|was|were|be) none(?! other)': 'does not count, has no … or null',
  'The (?:body|query|path|request) is wrong': 'Invalid body',
};

const phrases = Object.entries(retired).map(([phrase, instead]) => ({
  pattern: new RegExp(`\\b(?:${phrase.replaceAll(' ', String.raw`(?:\s+|\s*\n\s*(?:\*|//)\s*)`)})\\b`, 'g'),
  instead,
}));

/** Reports every match in the text of a file: comments, texts and names alike. */
function reportMatches(context: Context, pattern: RegExp, message: (found: string) => string): void {
  const { sourceCode } = context;
  for (const match of sourceCode.text.matchAll(pattern)) {
    const loc = sourceCode.getLocFromIndex(match.index);
    context.report({ message: message(match[1] ?? match[0]), loc: { start: loc, end: loc } });
  }
}

const docCommentOpener: Rule = {
  create: (context) => ({
    Program() {
      reportMatches(
        context,
        opener,
        (found) =>
          `A doc comment opens with a verb in the third person or a noun phrase, not with "${found}".`,
      );
    },
  }),
};

const retiredPhrase: Rule = {
  create: (context) => ({
    Program() {
      for (const { pattern, instead } of phrases) {
        reportMatches(context, pattern, (found) => `Instead of "${found}", write ${instead}.`);
      }
    },
  }),
};

const plugin = {
  meta: { name: 'plain-english' },
  rules: { 'doc-comment-opener': docCommentOpener, 'retired-phrase': retiredPhrase },
};

export default plugin;
