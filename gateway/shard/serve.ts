import type { MessagePort } from 'node:worker_threads';
import type { ShardOptions, StoreUrls } from '#gateway/supervisor/shard-options.ts';
import type { FromShard, ToShard } from '#gateway/supervisor/shard-messages.ts';
import { within } from '#shared/domain/kernel/deadline.ts';
import { systemClock } from '#shared/domain/kernel/system-clock.ts';
import { prepareShard, type RunningShard } from './shard.ts';

/** Time in ms for a failed shard to close its connections. */
const closeWithinMs = 1000;

/** Runs a shard for the supervisor at the other end of `port`, which is closed when the shard has stopped. */
export async function serveShard(
  options: ShardOptions,
  urls: StoreUrls,
  port: MessagePort,
  clock = systemClock,
): Promise<void> {
  const notify = (message: FromShard): void => port.postMessage(message);
  // An uncaught error of a thread with an open app aborts the whole process.
  const reportFailure = (error: unknown): void =>
    notify({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  // Unhandled rejections arrive here too.
  process.once('uncaughtException', reportFailure);
  port.on('message', endStart);
  try {
    const prepared = await prepareShard(options, urls, clock);
    // The thread must not end while it opens an app: a stop waits for that.
    const stopped = Promise.withResolvers<void>();
    port.off('message', endStart).on('message', ({ type }: ToShard) => {
      if (type === 'stop') stopped.resolve();
    });
    const shard = await prepared.listen();
    process.removeListener('uncaughtException', reportFailure);
    const fail = (error: unknown): void => {
      // Further errors during the shutdown are ignored.
      process.on('uncaughtException', () => undefined);
      void endAfter(error, shard);
    };
    process.once('uncaughtException', fail);
    port.on('message', (message: ToShard) => {
      if (message.type !== 'collect-metrics') return;
      void shard.collect().then((metrics) => notify({ type: 'metrics', id: message.id, metrics }));
    });
    notify({ type: 'ready' });
    const stop = async (): Promise<void> => {
      await stopped.promise;
      await shard.stop();
      process.removeListener('uncaughtException', fail);
      port.close();
    };
    void stop();
  } catch (error) {
    reportFailure(error);
  }
}

/** Ends the thread, and only that, while it opens the stores: one may not answer for a long time. */
function endStart({ type }: ToShard): void {
  if (type === 'stop') process.exit(0);
}

/**
 * Ends the thread after an uncaught error: its state may be inconsistent, and the supervisor starts it again.
 * Acknowledged messages are in the stores. Sockets are closed first: uWebSockets.js aborts the process when a thread
 * ends with an open app.
 */
async function endAfter(cause: unknown, shard: RunningShard): Promise<void> {
  await within(shard.abandon(cause), closeWithinMs, 'closing the connections of a failed shard').catch(
    () => undefined,
  );
  // Ends only this thread.
  process.exit(1);
}
