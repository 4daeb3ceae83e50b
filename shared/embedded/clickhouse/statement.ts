/** Whitespace and comments, which may stand before a statement. */
const BLANK = /^(?:\s+|--[^\n]*(?:\n|$)|#[ !][^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/;

/** Quoted text, comments, or one character; what is left of a `;` after them separates statements. */
const TOKEN =
  /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`(?:[^`\\]|\\.|``)*`|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|#[ !][^\n]*|\/\*[\s\S]*?\*\/|[\s\S]/g;

/** The first keyword of a statement in upper case, such as SELECT or INSERT. */
export function firstKeyword(sql: string): string {
  const start = BLANK.exec(sql)?.[0].length ?? 0;
  return /^[a-z]+/i.exec(sql.slice(start))?.[0].toUpperCase() ?? '';
}

/**
 * Returns true for more than one statement. ClickHouse's HTTP interface refuses that and the engine would run them
 * all, so a migration could work here and fail on a real server.
 */
export function isMultiStatement(sql: string): boolean {
  if (!sql.includes(';')) return false;
  for (const token of sql.matchAll(TOKEN)) {
    if (token[0] !== ';') continue;
    const rest = sql.slice(token.index + 1);
    const blank = BLANK.exec(rest)?.[0].length ?? 0;
    if (blank < rest.length) return true;
  }
  return false;
}

/** The format named at the end of a query, for the `X-ClickHouse-Format` header. */
export function outputFormat(sql: string): string | undefined {
  return /\bFORMAT\s+(\w+)(?:\s+SETTINGS\s[\s\S]*)?[\s;]*$/i.exec(sql)?.[1];
}

/** A ClickHouse string literal. */
export function literal(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** A quoted ClickHouse identifier. */
export function identifier(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}

/** The INSERT that reads its data from a file; undefined for a statement that names no format. */
export function insertFromFile(sql: string, path: string): string | undefined {
  const found = /^(.*?)(\s+SETTINGS\s.*?)?(\s+FORMAT\s+\w+\s*)$/is.exec(sql);
  if (found === null) return undefined;
  const [, start = '', settings = '', format = ''] = found;
  return `${start} FROM INFILE ${literal(path)} COMPRESSION 'none'${settings}${format}`;
}

/** The format that a query names at its end, before or behind its settings. */
const FORMAT = /\bFORMAT\s+\w+(?=(?:\s+SETTINGS\s[\s\S]*)?[\s;]*$)/i;

/**
 * The INSERT that writes the output of a query to a file, in the query's format or the default one. The comment identifies
 * the statement among those that run.
 */
export function selectToFile(sql: string, defaultFormat: string, path: string, comment: string): string {
  const format = outputFormat(sql) ?? defaultFormat;
  const query = sql.replace(FORMAT, '').replace(/[\s;]*$/, '');
  const settings = `engine_file_truncate_on_insert = 1, log_comment = ${literal(comment)}`;
  return `INSERT INTO FUNCTION file(${literal(path)}, ${literal(format)}) SELECT * FROM (\n${query}\n) SETTINGS ${settings}`;
}
