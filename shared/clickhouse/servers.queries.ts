import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import {
  ClickHouseError,
  type ClickHouseSettings,
  type createClient,
  type DataFormat,
  type ExecParams,
  type InsertParams,
  type QueryParams,
  type QueryResult,
} from '@clickhouse/client';

type Client = ReturnType<typeof createClient>;

type RowsOf = Omit<InsertParams<Readable>, 'values'> & { values: readonly unknown[] };

/** A client of one ClickHouse database, whose tables are on one server or on those of a cluster. */
export interface ClickHouse extends Pick<Client, 'query' | 'command' | 'ping' | 'close'> {
  /** Name of the cluster; null: the tables are on one server. */
  readonly cluster: string | null;
  /** Inserts rows; a stream of them could not be sent to a second server. */
  insert(params: RowsOf): ReturnType<Client['insert']>;
  /** Runs a query whose answer is read as bytes. */
  exec(params: ExecParams): ReturnType<Client['exec']>;
  /** Runs an insert with rows as bytes. When it resolves they are stored. */
  send(query: string, rows: readonly Uint8Array[], settings?: ClickHouseSettings): Promise<void>;
}

/** Time in ms between two attempts to reach the servers that failed. */
const probeEveryMs = 5000;

/** Time in ms within which a server that failed has to answer a ping. */
const probeTimeoutMs = 2000;

/**
 * Codes of errors that another server of a cluster may not have: TOO_MANY_SIMULTANEOUS_QUERIES, SOCKET_TIMEOUT, NETWORK_ERROR,
 * NO_ZOOKEEPER, ABORTED, TABLE_IS_READ_ONLY, ALL_CONNECTION_TRIES_FAILED, REPLICA_IS_NOT_IN_QUORUM, ALL_REPLICAS_ARE_STALE,
 * KEEPER_EXCEPTION.
 */
const serverFaults = new Set(['202', '209', '210', '225', '236', '242', '279', '289', '369', '999']);

/** Returns true for a failed connection, a time-out, an answer that is not ClickHouse's, and a server that cannot work now. */
function isServerFault(error: unknown): boolean {
  return !(error instanceof ClickHouseError) || serverFaults.has(error.code);
}

/** Returns true for an answer that did not begin in time; the client has no class for this error. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Timeout error.';
}

/** Returns true for a failure that another server may not have, unless it is a query that takes too long. */
function canRepeatQuery(error: unknown): boolean {
  return isServerFault(error) && !isTimeout(error);
}

/**
 * Client of servers that hold the same database. Requests go to the first server. When it fails, the same request goes to the next
 * ones, and later requests avoid it until it answers a ping. A request whose answer was lost may run twice, as every statement of
 * this product can: a cluster stores the rows of a repeated insert once, by their token or contents. A query that takes too long fails
 * at once, since it would load the next server as well. Other requests wait for one time-out at each server.
 */
export class ClickHouseServers implements ClickHouse {
  readonly cluster: string | null;
  readonly #clients: readonly Client[];
  readonly #down = new Set<Client>();
  #probe: NodeJS.Timeout | null = null;

  constructor(clients: readonly Client[], cluster: string | null) {
    this.#clients = clients;
    this.cluster = cluster;
  }

  query<Format extends DataFormat = 'JSON'>(
    params: Omit<QueryParams, 'format'> & { format?: Format },
  ): Promise<QueryResult<Format>> {
    return this.#onServer((client) => client.query(params), canRepeatQuery);
  }

  command(params: Parameters<Client['command']>[0]) {
    return this.#onServer((client) => client.command(params));
  }

  insert(params: RowsOf) {
    return this.#onServer((client) => client.insert(params));
  }

  exec(params: ExecParams) {
    return this.#onServer((client) => client.exec(params), canRepeatQuery);
  }

  send(query: string, rows: readonly Uint8Array[], settings: ClickHouseSettings = {}): Promise<void> {
    return this.#onServer(async (client) => {
      const values = Readable.from(rows, { objectMode: false });
      const { stream } = await client.exec({ query, values, clickhouse_settings: settings });
      await finished(stream.resume());
    });
  }

  /** Resolves at the first server that answers. */
  async ping(): ReturnType<Client['ping']> {
    const answers = this.#clients.map(async (client) => {
      const answer = await client.ping();
      if (!answer.success) throw answer.error;
      return answer;
    });
    try {
      return await Promise.any(answers);
    } catch (error) {
      const [first] = (error as AggregateError).errors as Error[];
      return { success: false, error: first! };
    }
  }

  async close(): Promise<void> {
    if (this.#probe !== null) clearTimeout(this.#probe);
    this.#down.clear();
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  /** Runs a request on the first server that can, those that failed last. */
  async #onServer<Answer>(
    request: (client: Client) => Promise<Answer>,
    canRepeat: (error: unknown) => boolean = isServerFault,
  ): Promise<Answer> {
    const isDown = (client: Client) => Number(this.#down.has(client));
    let failure: unknown;
    for (const client of this.#clients.toSorted((a, b) => isDown(a) - isDown(b))) {
      try {
        return await request(client);
      } catch (error) {
        if (!canRepeat(error)) throw error;
        failure = error;
        this.#avoid(client);
      }
    }
    throw failure;
  }

  #avoid(client: Client): void {
    if (this.#clients.length === 1) return;
    this.#down.add(client);
    if (this.#probe === null) this.#scheduleProbe();
  }

  #scheduleProbe(): void {
    this.#probe = setTimeout(() => void this.#probeServers(), probeEveryMs).unref();
  }

  async #probeServers(): Promise<void> {
    await Promise.all(
      [...this.#down].map(async (client) => {
        const signal = AbortSignal.timeout(probeTimeoutMs);
        const answer = await client.ping({ select: false, abort_signal: signal });
        if (answer.success) this.#down.delete(client);
      }),
    );
    this.#probe = null;
    if (this.#down.size > 0) this.#scheduleProbe();
  }
}
