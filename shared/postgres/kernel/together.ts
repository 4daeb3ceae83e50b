import { isPostgresDown } from './client.ts';

/**
 * What every request reads first, such as its key, is read for many requests at once: a query costs the server, and us, several
 * times what one more row of it does. Of two reads the second is on its way while the first is answered.
 */
export const together = {
  maxKeys: 32,
  maxReads: 2,
  isStoreFailure: isPostgresDown,
  deadlineMs: 30_000,
};
