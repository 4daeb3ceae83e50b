import { isPostgresDown } from './client.ts';

/**
 * Options of batch loaders for the first reads of every request, such as its key. They are read for many requests
 * at once: a query costs the server and this process several times as much as one more row. Of two reads the
 * second is sent while the first is answered.
 */
export const batchOptions = {
  maxKeys: 32,
  maxReads: 2,
  isStoreFailure: isPostgresDown,
  deadlineMs: 30_000,
};
