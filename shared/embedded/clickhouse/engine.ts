import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Session } from 'chdb';
import { insertFromFile, literal, selectToFile } from './statement.ts';

/** Result of one statement. */
export interface EngineResult {
  output: Uint8Array;
  rowsRead: number;
  bytesRead: number;
  rowsWritten: number;
  bytesWritten: number;
}

/** One connection to the in-process engine; it runs one statement at a time. */
export interface EngineSession {
  /** Runs a statement; `format` applies when the statement names none. */
  query(sql: string, format: string): Promise<EngineResult>;
  /** Runs an INSERT whose data, in any format, is passed on without being looked at. */
  insert(sql: string, data: Buffer): Promise<EngineResult>;
  /** Runs a SELECT whose output goes to a file or a named pipe as it arises. `id` names the statement for `kill`. */
  queryToFile(sql: string, format: string, path: string, id: string): Promise<EngineResult>;
  /** Cancels a statement of any session. */
  kill(id: string): Promise<void>;
  close(): void;
}

/** The part of chdb's native module that is used; its insert hands the bytes over without a copy. */
interface NativeModule {
  InsertRawAsyncConnection(
    connection: unknown,
    sql: string,
    data: Buffer,
    countLines: boolean,
  ): Promise<{ rowsWritten: number; bytesWritten: number }>;
}

/** Settings in which clickhouse-local, the base of chdb, differs from a server. */
const SERVER_LIKE = ['--implicit_select=0'];

/** NO_DATA_TO_INSERT: an insert without rows, which a server takes for a success. */
const NO_DATA = /^Code: 108\./;

/** An empty line ends the data of a statement in the engine: what follows would be lost, which binary formats run into. */
const EMPTY_LINE = '\n\n';

/** Size in bytes from which the engine needs less time for data in a file: 6 instead of 10 ms for 1.5 MB. */
const FILE_BYTES = 512 * 1024;

/**
 * Loads the engine and returns how to open sessions on one data directory.
 * The public insert of chdb takes a table name only and rejects binary formats, so inserts use the native
 * function below it; package.json pins chdb to the exact version for that reason.
 * @throws Error that says what to install or set when the package is missing.
 */
export async function loadEngine(
  dataDir: string,
  engineArguments: readonly string[] = [],
): Promise<() => EngineSession> {
  const { Session } = await importChdb();
  const native = loadNative();
  return () => {
    const session = new Session(dataDir, { connectionArgs: [...SERVER_LIKE, ...engineArguments] });
    const query: EngineSession['query'] = async (sql, format) => {
      const result = await session.queryAsync(sql, { format });
      const { rowsRead, bytesRead } = result;
      return { output: result.bytes(), rowsRead, bytesRead, rowsWritten: 0, bytesWritten: 0 };
    };
    return {
      query,
      async insert(sql, data) {
        const needsFile = data.length >= FILE_BYTES || data.includes(EMPTY_LINE);
        const result = needsFile && (await insertThroughFile(dataDir, query, sql, data));
        return result || insert(native, session.connection, sql, data);
      },
      async queryToFile(sql, format, path, id) {
        try {
          return await query(selectToFile(sql, format, path, id), 'Null');
        } catch (error) {
          // A cancelled statement holds its memory until its session runs another.
          await query('SELECT 1', 'Null');
          throw error;
        }
      },
      async kill(id) {
        await query(`KILL QUERY WHERE Settings['log_comment'] = ${literal(id)} ASYNC`, 'Null');
      },
      close: () => session.close(),
    };
  };
}

/** Inserts data from a file without a name, which goes with its handle. Undefined: the statement names no format. */
async function insertThroughFile(
  dataDir: string,
  query: EngineSession['query'],
  sql: string,
  data: Buffer,
): Promise<EngineResult | undefined> {
  const path = join(dataDir, `insert-${randomUUID()}`);
  const file = await open(path, 'wx+');
  try {
    await unlink(path);
    const statement = insertFromFile(sql, `/dev/fd/${file.fd}`);
    if (statement === undefined) return undefined;
    // At positions: on some systems the engine's handle would start where writing without them ends.
    for (let at = 0; at < data.length;) at += (await file.write(data, at, data.length - at, at)).bytesWritten;
    const result = await query(statement, 'TabSeparated');
    return { ...result, rowsWritten: result.rowsRead, bytesWritten: result.bytesRead };
  } finally {
    await file.close();
  }
}

async function insert(
  native: NativeModule,
  connection: unknown,
  sql: string,
  data: Buffer,
): Promise<EngineResult> {
  const nothing = { output: new Uint8Array(), rowsRead: 0, bytesRead: 0, rowsWritten: 0, bytesWritten: 0 };
  try {
    const { rowsWritten, bytesWritten } = await native.InsertRawAsyncConnection(connection, sql, data, false);
    return { ...nothing, rowsRead: rowsWritten, bytesRead: bytesWritten, rowsWritten, bytesWritten };
  } catch (error) {
    if (error instanceof Error && NO_DATA.test(error.message)) return nothing;
    throw error;
  }
}

async function importChdb(): Promise<{ Session: typeof Session }> {
  try {
    return await import('chdb');
  } catch (cause) {
    throw new Error(
      'The embedded ClickHouse is not installed. Run "npm install chdb" or set CLICKHOUSE_URL.',
      { cause },
    );
  }
}

function loadNative(): NativeModule {
  const require = createRequire(import.meta.url);
  const loader = join(dirname(require.resolve('chdb/package.json')), 'dist', 'loader.js');
  return (require(loader) as { loadNative(): NativeModule }).loadNative();
}
