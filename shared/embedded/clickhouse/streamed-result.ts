import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { openResultPipe } from './pipe.ts';
import type { SessionPool } from './pool.ts';
import type { QueryRequest } from './request.ts';

/** Interval in ms at which the cancellation of a statement is repeated until the statement has ended. */
const KILL_EVERY_MS = 100;

/**
 * Runs a query and sends its output while it runs, never more than a pipe's buffer of it in memory. The query ends when
 * the client closes the connection. Returns false when there was no output: an error before the first byte has its status,
 * and an empty result is formatted by the caller.
 * @throws Error of the engine; the response is incomplete when bytes were sent before.
 */
export async function sendStreamed(
  pool: SessionPool,
  query: QueryRequest,
  response: ServerResponse,
): Promise<boolean> {
  return pool.run(query.context, async (session) => {
    const id = randomUUID();
    const pipe = await openResultPipe();
    const ended = new AbortController();
    const statement = session.queryToFile(query.sql, query.defaultFormat, pipe.path, id).finally(() => {
      ended.abort();
      pipe.end();
    });
    const cancel = async (): Promise<void> => {
      while (!ended.signal.aborted) {
        await pool.kill(id).catch(() => undefined);
        await delay(KILL_EVERY_MS);
      }
    };
    response.once('close', () => void cancel());
    await Promise.all([statement, sendBytes(pipe.output, response)]);
    if (!response.headersSent && !response.destroyed) return false;
    response.end();
    return true;
  });
}

/** Sends what the pipe has, to its end: what a client that is gone would have got is dropped. */
async function sendBytes(output: AsyncIterable<Buffer>, response: ServerResponse): Promise<void> {
  for await (const chunk of output) {
    if (!response.destroyed && !response.write(chunk)) await awaitDrain(response);
  }
}

/** Resolves when the response accepts more, or its connection is closed. */
function awaitDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    if (response.destroyed) return resolve();
    response.once('drain', done).once('close', done);
  });
}
