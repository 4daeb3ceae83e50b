import { loadConfig, requireStores } from '#shared/config/config.ts';
import { createLogger } from '#shared/log/log.ts';
import type { FromProcess, ToProcess } from './process-messages.ts';
import { startGateway } from './supervisor.ts';

const stopWithinMs = 25_000;

/** One process of a gateway of several (`process-group.ts`): the arguments are its number and how many there are. */
async function main(index: number, processes: number): Promise<void> {
  const config = loadConfig();
  const log = createLogger(`gateway-${index}`, config.logLevel);
  const gateway = await startGateway({
    config,
    urls: requireStores(config),
    localBusName: 'chargeway',
    log,
    place: { index, processes },
  });
  const stop = once(() => {
    setTimeout(() => process.exit(1), stopWithinMs).unref();
    void gateway.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'a gateway process did not stop cleanly');
        process.exit(1);
      },
    );
  });
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // Whoever started it is gone without a word, and with it the one who would end this process.
  process.on('disconnect', stop);
  process.on('message', (message: ToProcess) => {
    if (message.type === 'stop') stop();
    else void gateway.collect().then((metrics) => tell({ type: 'metrics', id: message.id, metrics }));
  });
  tell({ type: 'ready' });
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}

function tell(message: FromProcess): void {
  process.send?.(message, () => undefined);
}

const [, , index, processes] = process.argv;
main(Number(index), Number(processes)).catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  process.send?.({ type: 'failed', message } satisfies FromProcess, () => process.exit(1));
});
