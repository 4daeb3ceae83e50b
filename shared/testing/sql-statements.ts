/** Quoted texts, bodies of functions, comments, or one character. */
const token = /'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|[\s\S]/g;

/** Statement of a migration. */
export interface Statement {
  /** In lower case and on one line, without comments. */
  text: string;
  /** True when a comment `-- safe: reason` precedes it. */
  isReasoned: boolean;
}

/** Returns the statements of a migration. */
export function statementsOf(migration: string): Statement[] {
  const statements: Statement[] = [];
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

/** Returns a change of a table with several actions as a statement for each. */
export function actionsOf(statement: string): string[] {
  const [, table, actions] = /^(alter table (?:if exists )?(?:only )?\w+) (.*)$/.exec(statement) ?? [];
  if (table === undefined || actions === undefined) return [statement];
  const split = [''];
  let depth = 0;
  for (const [part] of actions.matchAll(token)) {
    if (part === '(') depth += 1;
    if (part === ')') depth -= 1;
    if (part === ',' && depth === 0) split.push('');
    else split.push(`${split.pop()}${part}`);
  }
  return split.map((action) => `${table} ${action.trim()}`);
}
