import { DeadlinePassed, within } from '#shared/domain/deadline.ts';

/** How the values of many keys are read. */
export interface BatchReader<Key, Value> {
  /** Reads all that are there; a key without a value is left out. */
  read(keys: Key[]): Promise<Map<Key, Value>>;
  /** Whether a failure is the store's (all would fail again) and not a key's. */
  isStoreFailure(error: unknown): boolean;
  /** Keys read at once at most. */
  mostKeys: number;
  /** A read that has not ended after so many ms has failed. */
  deadlineMs: number;
}

interface Question<Key, Value> {
  key: Key;
  resolve(value: Value | undefined): void;
  reject(error: unknown): void;
}

/**
 * Reads what many chargers ask for at once in few statements. A single question is asked at once; those that come
 * while a read is under way wait for its end and go together, so batches grow with the load. A key that makes a
 * read fail fails alone, as an item of a `Batcher` does.
 */
export class Loader<Key, Value> {
  readonly #reader: BatchReader<Key, Value>;
  #questions: Question<Key, Value>[] = [];
  #reading = false;

  constructor(reader: BatchReader<Key, Value>) {
    this.#reader = reader;
  }

  /** The value of a key, undefined when there is none; rejects when it could not be read. */
  load(key: Key): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      this.#questions.push({ key, resolve, reject });
      if (this.#reading) return;
      this.#reading = true;
      // Not at once: what the sockets bring in the same turn of the loop goes into the same statement.
      setImmediate(() => void this.#readAll());
    });
  }

  async #readAll(): Promise<void> {
    while (this.#questions.length > 0) await this.#read(this.#questions.splice(0, this.#reader.mostKeys));
    this.#reading = false;
  }

  async #read(batch: Question<Key, Value>[]): Promise<void> {
    const { deadlineMs } = this.#reader;
    try {
      const keys = [...new Set(batch.map(({ key }) => key))];
      const values = await within(this.#reader.read(keys), deadlineMs, 'the read of a batch');
      for (const question of batch) question.resolve(values.get(question.key));
    } catch (error) {
      const isStores = error instanceof DeadlinePassed || this.#reader.isStoreFailure(error);
      if (batch.length === 1 || isStores) {
        for (const question of batch) question.reject(error);
      } else {
        const half = Math.ceil(batch.length / 2);
        await this.#read(batch.slice(0, half));
        await this.#read(batch.slice(half));
      }
    }
  }
}
