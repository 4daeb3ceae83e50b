import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { importsStripped } from '#shared/stripping/options.ts';
import type { StoreLog } from '#shared/embedded/store.ts';
import type { StartedMessage, StartMessage } from './messages.ts';

const SERVER = fileURLToPath(new URL('./server.ts', import.meta.url));

/**
 * Starts the server process and resolves, with the port it got, when it answers.
 * @throws Error with what the process said when it ended before.
 */
export async function launchServer(
  start: StartMessage,
  log: StoreLog,
  onSpawn: (pid: number) => void,
): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, [...importsStripped, SERVER], {
    // The engine blocks one libuv thread for each running statement; gunzip needs one besides.
    // UTC, because the engine reads times without a zone in the zone of its process.
    env: { UV_THREADPOOL_SIZE: String(start.sessions + 2), TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Its own process group: Ctrl-C in the terminal reaches us, and we stop it in order.
    detached: true,
  });
  if (child.pid !== undefined) onSpawn(child.pid);
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', log);
  }
  child.send(start, () => undefined); // when it cannot be delivered, the process has ended and that is reported
  const started = await firstMessage(child);
  if ('error' in started) throw new Error(`ClickHouse did not start: ${started.error}`);
  return { child, port: started.port };
}

async function firstMessage(child: ChildProcess): Promise<StartedMessage> {
  const gone = new AbortController();
  child.once('exit', () => gone.abort());
  try {
    const [message] = (await once(child, 'message', { signal: gone.signal })) as [StartedMessage];
    return message;
  } catch (error) {
    if (!gone.signal.aborted) throw error;
    return { error: `the process ended (${child.signalCode ?? `exit code ${child.exitCode}`})` };
  }
}
