import t from 'tap';
import {
  firstKeyword,
  identifier,
  insertFromFile,
  isMultiStatement,
  literal,
  outputFormat,
  selectToFile,
} from '#shared/embedded/clickhouse/statement.ts';

void t.test('finds the first keyword behind blanks and comments', async (t) => {
  t.equal(firstKeyword('  -- note\n/* more; */ insert into x'), 'INSERT');
  t.equal(firstKeyword('select(1)'), 'SELECT');
  t.equal(firstKeyword('(SELECT 1)'), '');
});

void t.test(
  'detects a second statement, but no semicolon in quotes, in comments or at the end',
  async (t) => {
    for (const sql of ['SELECT 1; SELECT 2', "SELECT ';' ; DROP TABLE x", 'SELECT 1; /* a */ ; SELECT 2']) {
      t.ok(isMultiStatement(sql), sql);
    }
    for (const sql of [
      'SELECT 1;',
      'SELECT 1; -- the end',
      "SELECT ';a', 'it\\'s; b', 'it''s; c'",
      'SELECT 1 AS `a;b`, 2 AS "c;d"',
      'SELECT 1 /* ; */ + 1 -- ; more',
      'SELECT $tag$ ; a $tag$, $$ ; b $$',
    ]) {
      t.notOk(isMultiStatement(sql), sql);
    }
  },
);

void t.test('finds the output format at the end', async (t) => {
  t.equal(outputFormat('SELECT 1\nFORMAT JSONEachRow ;'), 'JSONEachRow');
  t.equal(outputFormat('SELECT 1 format CSV SETTINGS max_threads = 1'), 'CSV');
  t.equal(outputFormat('SELECT format FROM t'), undefined);
});

void t.test('quotes literals and identifiers', async (t) => {
  t.equal(literal("a'b\\c"), "'a\\'b\\\\c'");
  t.equal(identifier('a`b'), '`a\\`b`');
});

void t.test('names the file of an insert before its settings and its format', async (t) => {
  const from = "FROM INFILE 'x' COMPRESSION 'none'";
  const statements: [string, string | undefined][] = [
    ['insert into t (a, b) format RowBinary', `insert into t (a, b) ${from} format RowBinary`],
    ['INSERT INTO t\nSETTINGS x = 1\nFORMAT CSV\n', `INSERT INTO t ${from}\nSETTINGS x = 1\nFORMAT CSV\n`],
    ['INSERT INTO t VALUES', undefined],
    ['', undefined],
  ];
  for (const [sql, expected] of statements) t.equal(insertFromFile(sql, 'x'), expected);
});

void t.test('wraps a query into an insert of its output, with its settings', async (t) => {
  const into = "INSERT INTO FUNCTION file('/p', 'Parquet') SELECT * FROM (\n";
  const end = "\n) SETTINGS engine_file_truncate_on_insert = 1, log_comment = 'id'";
  const queries: [string, string][] = [
    ['SELECT 1 FORMAT Parquet', 'SELECT 1 '],
    ['SELECT 1 -- one\nSETTINGS a = 1 FORMAT Parquet;\n', 'SELECT 1 -- one\nSETTINGS a = 1 '],
    ['SELECT 1\nFORMAT Parquet SETTINGS a = 1', 'SELECT 1\n SETTINGS a = 1'],
    ["SELECT 'FORMAT x' FROM t", "SELECT 'FORMAT x' FROM t"],
  ];
  for (const [sql, wrapped] of queries) {
    t.equal(selectToFile(sql, 'Parquet', '/p', 'id'), into + wrapped.trimEnd() + end, sql);
  }
});
