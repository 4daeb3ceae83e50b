import { Loader } from './loader.ts';

/** Read that all concurrent callers with the same key may share. */
interface Wanted<Value> {
  key: string;
  read: () => Promise<Value>;
}

/** Time in ms after which a read fails. */
const deadlineMs = 30_000;

/**
 * Reads that concurrent callers share by key. A read starts after all its callers asked: a caller that arrives during a
 * read shares the next one, so each sees what was stored before.
 */
export class SharedReads<Value> {
  readonly #loader = new Loader<Wanted<Value>, Value>({
    kindOf: ({ key }) => key,
    async read(wanted) {
      const value = await wanted[0]?.read();
      return new Map(wanted.map((one) => [one, value as Value]));
    },
    // All callers of a read want the same: it would fail again for each of them.
    isStoreFailure: () => true,
    maxKeys: Number.POSITIVE_INFINITY,
    maxReads: Number.POSITIVE_INFINITY,
    maxOfKind: 1,
    deadlineMs,
  });

  /** @param key everything that the result depends on, the scope of the caller included. */
  async read(key: string, read: () => Promise<Value>): Promise<Value> {
    return (await this.#loader.load({ key, read })) as Value;
  }
}
