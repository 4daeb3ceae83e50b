import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { randomUUID } from 'node:crypto';
import { RefusedRequest } from './exception.ts';
import type { QueryContext } from './pool.ts';
import { firstKeyword, isMultiStatement } from './statement.ts';

/** A request of ClickHouse's HTTP interface, taken apart. */
export interface QueryRequest {
  queryId: string;
  context: QueryContext;
  /** Format of the answer when the statement names none. */
  defaultFormat: string;
  /** For an INSERT the statement up to its data, which may be empty when `data` holds the statement too. */
  sql: string;
  /** Data of an INSERT, untouched; undefined for every other statement. */
  data: Buffer | undefined;
  /** True: the result is sent while the query runs, and the query ends when the client closes the connection. */
  isStreamed: boolean;
}

const unzip = promisify(gunzip);

/** Largest body, packed or unpacked; it is held in memory. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;
/** Enough to see the first keyword behind any leading comment. */
const KEYWORD_WINDOW = 64 * 1024;

/** Parameters of the HTTP layer itself, as ClickHouse's HTTPHandler has them; all others are settings. */
const NOT_SETTINGS: ReadonlySet<string> = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'user',
  'password',
  'quota_key',
  'stacktrace',
  'buffer_size',
  'wait_end_of_query',
  'client_protocol_version',
  'cancel_http_readonly_queries_on_client_close',
]);

/**
 * ClickHouse's own setting for queries that end with their connection. It applies only to read-only queries, so `readonly`
 * comes with it.
 */
const ENDS_WITH_CLIENT = 'cancel_http_readonly_queries_on_client_close';

/** Parameters that would change what the answer means and that this front cannot honour. */
const UNSUPPORTED = ['session_id', 'role', 'compress', 'decompress'];

/** Reads and takes apart one request. @throws RefusedRequest for what cannot be honoured. */
export async function readQueryRequest(request: IncomingMessage, url: URL): Promise<QueryRequest> {
  const body = await readBody(request);
  const form = await multipartFields(request, body);
  const fields = new URLSearchParams([...url.searchParams, ...form]);
  refuseUnsupported(fields);

  const statement = splitStatement(fields.get('query') ?? '', form.length > 0 ? Buffer.alloc(0) : body);
  const keyword = firstKeyword(statement.sql === '' ? textOf(statement.data) : statement.sql);
  if (keyword === 'KILL') throw notSupported('KILL');
  const isStreamed = fields.get(ENDS_WITH_CLIENT) === '1' && (keyword === 'SELECT' || keyword === 'WITH');
  // The pipe of a streamed result is written by an INSERT.
  const isSetting = (name: string) =>
    !NOT_SETTINGS.has(name) && !name.startsWith('param_') && !(isStreamed && name === 'readonly');
  return {
    ...statement,
    isStreamed,
    queryId: fields.get('query_id') || randomUUID(),
    defaultFormat: fields.get('default_format') ?? headerOf(request, 'x-clickhouse-format') ?? 'TabSeparated',
    context: {
      database: fields.get('database') || headerOf(request, 'x-clickhouse-database') || 'default',
      settings: named(fields, isSetting),
      params: new Map(
        [...named(fields, (name) => name.startsWith('param_'))].map(([k, v]) => [k.slice(6), v]),
      ),
      altersSession: keyword === 'SET' || keyword === 'USE',
    },
  };
}

/** The statement may stand in the URL, in the body, or begin in the URL and go on in the body. */
function splitStatement(inUrl: string, body: Buffer): { sql: string; data: Buffer | undefined } {
  const isInsert = firstKeyword(inUrl === '' ? textOf(body) : inUrl) === 'INSERT';
  if (isInsert) return { sql: inUrl, data: body };
  const sql = [inUrl, body.toString()].filter((part) => part !== '').join('\n');
  if (isMultiStatement(sql)) throw new RefusedRequest(62, 'SYNTAX_ERROR', 'Multi-statements are not allowed');
  return { sql, data: undefined };
}

function textOf(data: Buffer | undefined): string {
  return data?.toString('utf8', 0, KEYWORD_WINDOW) ?? '';
}

function named(fields: URLSearchParams, wanted: (name: string) => boolean): Map<string, string> {
  const found = [...fields].filter(([name]) => wanted(name));
  const odd = found.find(([name]) => !/^\w+$/.test(name));
  if (odd) throw new RefusedRequest(115, 'UNKNOWN_SETTING', `Unknown setting '${odd[0]}'`);
  return new Map(found);
}

function refuseUnsupported(fields: URLSearchParams): void {
  const used = UNSUPPORTED.find((name) => !['', '0', null].includes(fields.get(name)));
  if (used) throw notSupported(used);
}

function notSupported(what: string): RefusedRequest {
  return new RefusedRequest(48, 'NOT_IMPLEMENTED', `${what} is not supported by the embedded ClickHouse`);
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity' || body.length === 0) return body;
  if (encoding !== 'gzip') throw notSupported(`Content-Encoding ${encoding}`);
  return unzipWithin(body);
}

async function unzipWithin(body: Buffer): Promise<Buffer> {
  try {
    return await unzip(body, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new RefusedRequest(354, 'ZLIB_INFLATE_FAILED', `the gzip body is damaged: ${String(error)}`);
  }
}

function tooLarge(): RefusedRequest {
  return new RefusedRequest(223, 'QUERY_IS_TOO_LARGE', `the body is larger than ${MAX_BODY_BYTES} bytes`);
}

/** The client sends query and parameters as a form when they are too long for a URL. */
async function multipartFields(request: IncomingMessage, body: Buffer): Promise<[string, string][]> {
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return [];
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  return [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
}
