import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { EngineResult } from './engine.ts';
import { describeException, RefusedRequest, type ClickHouseException } from './exception.ts';
import type { SessionPool } from './pool.ts';
import { readQueryRequest, type QueryRequest } from './request.ts';
import { outputFormat } from './statement.ts';
import { sendStreamed } from './streamed-result.ts';

interface FrontOptions {
  pool: SessionPool;
  password: string;
  /** Called when the engine has failed permanently: the process must be replaced. */
  onFatal(text: string): void;
}

/** The account of the URL; the engine itself knows no users. */
const USER = 'default';
/** ClickHouse allows URIs of a mebibyte (http_max_uri_size). */
const MAX_HEADER_BYTES = 1024 * 1024;
/** ABORTED: after a fatal error the engine refuses every statement with it. */
const ABORTED = 236;

/**
 * ClickHouse's HTTP interface in front of the engine: ping, queries, inserts, errors and summaries as
 * `@clickhouse/client` expects them. Results are complete before the answer starts, so an error always
 * has its status (as with wait_end_of_query=1 on a server). Results of any size are sent while the query runs where the
 * request has `cancel_http_readonly_queries_on_client_close=1`.
 */
export function createFront(options: FrontOptions): Server {
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 30_000 });
  server.on('request', (request, response) => {
    // A connection that was busy when the server was closed would stay open until the client lets it go.
    response.once('close', () => server.listening || server.closeIdleConnections());
    handle(request, response, options).catch((error: unknown) => {
      const exception = describeException(error);
      if (exception.code === ABORTED) options.onFatal(exception.text);
      answerException(response, exception);
    });
  });
  return server;
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  options: FrontOptions,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname === '/ping') return answerText(response, 200, 'Ok.\n');
  if (url.pathname !== '/') return answerText(response, 404, `There is no handle ${url.pathname}\n`);
  authenticate(request, url, options.password);

  const query = await readQueryRequest(request, url);
  if (query.sql === '' && !query.data) return answerText(response, 200, 'Ok.\n');
  response.setHeader('X-ClickHouse-Query-Id', query.queryId);
  if (query.isStreamed) {
    setFormat(response, query);
    if (await sendStreamed(options.pool, query, response)) return;
  }
  const startedAt = process.hrtime.bigint();
  const result = await options.pool.run(query.context, (session) =>
    query.data ? session.insert(query.sql, query.data) : session.query(query.sql, query.defaultFormat),
  );
  answerResult(response, query, result, process.hrtime.bigint() - startedAt);
}

function answerResult(
  response: ServerResponse,
  query: QueryRequest,
  result: EngineResult,
  elapsedNs: bigint,
): void {
  setFormat(response, query);
  response.writeHead(200, {
    'Content-Length': result.output.byteLength,
    'X-ClickHouse-Summary': JSON.stringify(summary(result, elapsedNs)),
  });
  response.end(result.output);
}

function setFormat(response: ServerResponse, query: QueryRequest): void {
  const format = outputFormat(query.data ? '' : query.sql) ?? query.defaultFormat;
  response.setHeader('Content-Type', contentType(format));
  response.setHeader('X-ClickHouse-Format', format);
  response.setHeader('X-ClickHouse-Timezone', 'UTC');
}

/** Counters are strings, as a server sends them: they may be beyond what a JSON number holds. */
function summary(result: EngineResult, elapsedNs: bigint): Record<string, string> {
  const isWrite = result.rowsWritten > 0;
  return {
    read_rows: String(result.rowsRead),
    read_bytes: String(result.bytesRead),
    written_rows: String(result.rowsWritten),
    written_bytes: String(result.bytesWritten),
    total_rows_to_read: '0',
    result_rows: String(isWrite ? result.rowsWritten : result.rowsRead),
    result_bytes: String(isWrite ? result.bytesWritten : result.output.byteLength),
    elapsed_ns: String(elapsedNs),
  };
}

function contentType(format: string): string {
  if (/^JSON(Compact)?EachRow/.test(format)) return 'application/x-ndjson; charset=UTF-8';
  if (format.startsWith('JSON')) return 'application/json; charset=UTF-8';
  if (format.startsWith('CSV')) return 'text/csv; charset=UTF-8';
  if (/^(TabSeparated|TSV)/.test(format)) return 'text/tab-separated-values; charset=UTF-8';
  return 'application/octet-stream';
}

function answerException(response: ServerResponse, { code, status, text }: ClickHouseException): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  // The rest of a refused body is not read, so the connection cannot be reused.
  if (!response.req.complete) response.setHeader('Connection', 'close');
  response.setHeader('X-ClickHouse-Exception-Code', code);
  answerText(response, status, `${text}\n`);
}

function answerText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=UTF-8' });
  response.end(text);
}

/** Any account of the machine reaches 127.0.0.1, so the password is what keeps the data ours. */
function authenticate(request: IncomingMessage, url: URL, password: string): void {
  const given = credentials(request, url);
  if (given.user === USER && timingSafeEqual(digest(given.password), digest(password))) return;
  throw new RefusedRequest(
    516,
    'AUTHENTICATION_FAILED',
    `${given.user}: Authentication failed: password is incorrect, or there is no user with such name`,
  );
}

function credentials(request: IncomingMessage, url: URL): { user: string; password: string } {
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (basic !== undefined) {
    const [user = '', ...rest] = Buffer.from(basic, 'base64').toString().split(':');
    return { user, password: rest.join(':') };
  }
  const { 'x-clickhouse-user': user, 'x-clickhouse-key': key } = request.headers;
  return {
    user: String(user ?? url.searchParams.get('user') ?? USER),
    password: String(key ?? url.searchParams.get('password') ?? ''),
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
