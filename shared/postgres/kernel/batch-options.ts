import { isPostgresDown } from './client.ts';

/**
 * Options of batch loaders for the first reads of every request, such as its key. They are read for many requests
 * at once: a query costs the server and this process several times as much as one more row. One read of a kind is in
 * progress at a time, so that batches grow with the load; one of another kind does not wait for it.
 */
export const batchOptions = {
  maxKeys: 32,
  maxReads: 2,
  maxOfKind: 1,
  isStoreFailure: isPostgresDown,
  deadlineMs: 30_000,
};
