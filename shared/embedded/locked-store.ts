import type { DirectoryLock } from './directory-lock.ts';
import type { EmbeddedStore } from './store.ts';
import type { Supervised } from './supervise.ts';

/** A supervised server and the lock of its directory, as the store that callers see. */
export function lockedStore(server: Supervised, lock: DirectoryLock, url: string): EmbeddedStore {
  let stopped: Promise<void> | undefined;
  return {
    url,
    get pid() {
      return server.pid;
    },
    stop: () => (stopped ??= stop()),
  };

  async function stop(): Promise<void> {
    await server.stop();
    lock.release();
  }
}
