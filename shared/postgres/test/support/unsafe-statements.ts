/** Statements that break, or block for long, a process of the previous version that runs during a migration. */
const rules: [pattern: RegExp, reason: string][] = [
  [
    /^(drop (table|view|materialized view|schema|function|type)|truncate)\b/,
    'the previous version may use it',
  ],
  [/^alter table\b.*\bdrop (?!not null|default)/, 'the previous version may use it'],
  [/^alter (table|view|index|type)\b.*\brename\b/, 'the previous version uses the old name'],
  [/^alter table\b.*\balter (column )?\w+ (set data )?type\b/, 'it rewrites the table under a lock'],
  [/^alter table\b.*\bset not null\b/, 'the previous version may write null'],
  [
    /^alter table\b.*\badd (column )?(if not exists )?\w+ [^,]*\bnot null\b(?!.*\bdefault\b)/,
    'the previous version does not write the column',
  ],
  [
    /^alter table\b.*\badd (constraint \w+ )?(check|unique|foreign key|primary key|exclude)\b(?!.*\bnot valid\b)/,
    'it reads the table under a lock',
  ],
  [/^alter table\b.*\badd (column )?.*\bdefault gen_random_uuid\b/, 'it rewrites the table under a lock'],
  [/^do\b/, 'its statements are not read by this test'],
  [/^alter type\b/, 'the previous version does not know the change'],
  [/^create (unique )?index\b/, 'it blocks writes while it reads the table'],
];

/** Quoted texts, bodies of functions, comments, or one character. */
const token = /'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|[\s\S]/g;

/**
 * Returns the statements of a migration that need a reason, each with the rule. A comment `-- safe: reason` before a statement
 * states one. Tables that the migration itself creates have no other users.
 */
export function unsafeStatements(migration: string): string[] {
  const statements = statementsOf(migration);
  const created = statements.flatMap(
    ({ text }) => /^create table (?:if not exists )?(\w+)/.exec(text)?.[1] ?? [],
  );
  return statements
    .flatMap((statement) => actionsOf(statement.text).map((text) => ({ ...statement, text })))
    .filter(({ text, isReasoned }) => !isReasoned && !created.includes(tableOf(text)))
    .flatMap(({ text }) => {
      const rule = rules.find(([pattern]) => pattern.test(text));
      return rule === undefined ? [] : [`${text}: ${rule[1]}`];
    });
}

/** Returns a change of a table with several actions as a statement for each. */
function actionsOf(statement: string): string[] {
  const [, table, actions] = /^(alter table (?:if exists )?(?:only )?\w+) (.*)$/.exec(statement) ?? [];
  if (table === undefined || actions === undefined) return [statement];
  // Commas within parentheses belong to an action.
  const split = actions.split(/,(?![^()]*\))/);
  return split.map((action) => `${table} ${action.trim()}`);
}

/** Returns the table of a change or of an index. */
function tableOf(statement: string): string {
  return /^(?:alter table (?:if exists )?(?:only )?|create .*?\bon )(\w+)/.exec(statement)?.[1] ?? '';
}

/** Returns the statements in lower case and on one line each. */
function statementsOf(migration: string): { text: string; isReasoned: boolean }[] {
  const statements: { text: string; isReasoned: boolean }[] = [];
  let [text, isReasoned] = ['', false];
  for (const [part] of `${migration};`.matchAll(token)) {
    if (part.startsWith('--') || part.startsWith('/*')) isReasoned ||= /^-- safe: \S/.test(part);
    else if (part === ';') {
      const line = text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
      if (line !== '') statements.push({ text: line, isReasoned });
      [text, isReasoned] = ['', false];
    } else text += part;
  }
  return statements;
}
