import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadEngine } from './engine.ts';
import { createFront } from './front.ts';
import type { StartedMessage, StartMessage } from './messages.ts';
import { SessionPool } from './pool.ts';

/**
 * The ClickHouse process: engine and HTTP front. It lives as long as the process that started it, whose end,
 * even by kill -9, closes the message channel.
 */

/** Running statements get this long to finish when the server is stopped. */
const DRAIN_MS = 10_000;

process.on('SIGINT', () => undefined); // Ctrl-C is the starter's to handle; it stops us in order
process.once('message', (message) => void start(message as StartMessage));
process.once('disconnect', die);

async function start(message: StartMessage): Promise<void> {
  try {
    const pool = new SessionPool(
      await loadEngine(message.dataDir, message.engineArguments),
      message.sessions,
    );
    const server = createFront({ pool, password: message.password, onFatal: dieOfEngine });
    server.listen(message.port, '127.0.0.1');
    await once(server, 'listening');
    process.once('SIGTERM', () => void stop(server, pool));
    notify({ port: (server.address() as AddressInfo).port });
  } catch (error) {
    notify({ error: error instanceof Error ? error.message : String(error) }, () => process.exit(1));
  }
}

/** Answers what is running, takes nothing new, closes the engine. */
async function stop(server: Server, pool: SessionPool): Promise<void> {
  setTimeout(die, DRAIN_MS).unref();
  const closed = once(server, 'close');
  server.close();
  await closed;
  pool.close();
  process.exit(0);
}

function dieOfEngine(text: string): void {
  process.stderr.write(`the engine gave up: ${text}\n`, die);
}

/**
 * Ends without waiting for running statements, which an orderly exit of the engine would do.
 * Nothing is lost: every acknowledged insert is a finished part, and those of readings are flushed (ADR 31).
 */
function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

function notify(message: StartedMessage, sent: () => void = () => undefined): void {
  process.send?.(message, sent);
}
