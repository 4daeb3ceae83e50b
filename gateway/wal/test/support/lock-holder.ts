import { DirectoryLock } from '#gateway/wal/directory-lock.ts';

/** Locks the directory of its argument, says so, and waits to be killed. */
const lock = await DirectoryLock.take(process.argv[3] ?? '');
process.stdout.write(lock === null ? 'refused' : 'locked');
setInterval(() => undefined, 60_000);
