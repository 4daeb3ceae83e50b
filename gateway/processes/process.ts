import { loadConfig } from '#shared/config/config.ts';
import { requireStores } from '#shared/config/stores.ts';
import { stopStarted } from '#shared/config/stop.ts';
import { createLogger } from '#shared/log/log.ts';
import { startGateway } from './supervisor.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

const stopWithinMs = 25_000;

/** Runs one process of a gateway of several (`process-group.ts`); the arguments are its index and their number. */
async function main(index: number, processes: number): Promise<void> {
  const config = loadConfig();
  const log = createLogger(`gateway-${index}`, config.logLevel);
  const stopping = new AbortController();
  const starting = startGateway({
    config,
    urls: requireStores(config),
    localBusName: 'chargeway',
    log,
    stopping: stopping.signal,
    instance: { index, processes },
  });
  const stop = once(() => {
    setTimeout(() => process.exit(1), stopWithinMs).unref();
    stopping.abort();
    void stopStarted(starting).then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'gateway process did not stop cleanly');
        process.exit(1);
      },
    );
  });
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // The parent process died, and with it the one that would stop this process.
  process.on('disconnect', stop);
  process.on('message', (message: ToWorker) => {
    if (message.type === 'stop') stop();
    else
      void starting
        .then((gateway) => gateway.collect())
        .then((metrics) => notify({ type: 'metrics', id: message.id, metrics }));
  });
  try {
    await starting;
    notify({ type: 'ready' });
  } catch (error) {
    // Its stop ends the process.
    if (!stopping.signal.aborted) throw error;
  }
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}

function notify(message: FromWorker): void {
  process.send?.(message, () => undefined);
}

const [, , index, processes] = process.argv;
main(Number(index), Number(processes)).catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  process.send?.({ type: 'failed', message } satisfies FromWorker, () => process.exit(1));
});
