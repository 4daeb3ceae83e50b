import { DeadlinePassed, within } from './deadline.ts';

/** Options for reading the values of many keys at once. */
export interface BatchReader<Key, Value> {
  /** Reads all that are there; a key without a value is left out. */
  read(keys: Key[]): Promise<ReadonlyMap<Key, Value>>;
  /** Returns whether a failure is the store's (all keys would fail again) and not a key's. */
  isStoreFailure(error: unknown): boolean;
  /** Keys read at once at most. */
  maxKeys: number;
  /** A read that has not ended after so many ms has failed. */
  deadlineMs: number;
  /** Reads that may be under way at once; one, where it is not said. */
  maxReads?: number;
  /** Keys of one kind may be read together; all, where it is not said. */
  kindOf?(key: Key): string;
  /** Reads of one kind that may be under way at once; as many as of all, where it is not said. */
  maxOfKind?: number;
}

interface Question<Key, Value> {
  key: Key;
  kind: string;
  resolve(value: Value | undefined): void;
  reject(error: unknown): void;
}

/**
 * Reads what many ask for at once in few statements. A single question is asked at once; those that come while reads are under
 * way wait for the end of one and go together, so batches grow with the load. A read begins after all who get their answer from
 * it have asked: each sees what was stored before. A key that makes a read fail fails alone, as an item of the gateway's `Batcher` does.
 */
export class Loader<Key, Value> {
  readonly #reader: BatchReader<Key, Value>;
  readonly #maxReads: number;
  readonly #maxOfKind: number;
  #questions: Question<Key, Value>[] = [];
  /** The kinds of the reads that are under way. */
  #reading: string[] = [];
  #willRead = false;

  constructor(reader: BatchReader<Key, Value>) {
    this.#reader = reader;
    this.#maxReads = reader.maxReads ?? 1;
    this.#maxOfKind = reader.maxOfKind ?? this.#maxReads;
  }

  /** The value of a key, undefined when there is none; rejects when it could not be read. */
  load(key: Key): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      this.#questions.push({ key, kind: this.#reader.kindOf?.(key) ?? '', resolve, reject });
      if (this.#willRead || this.#reading.length >= this.#maxReads) return;
      this.#willRead = true;
      // Not at once: what the sockets bring in the same turn of the loop goes into the same statement.
      setImmediate(() => {
        this.#willRead = false;
        this.#start();
      });
    });
  }

  #start(): void {
    while (this.#reading.length < this.#maxReads) {
      const kind = this.#questions.find((question) => this.#mayRead(question))?.kind;
      if (kind === undefined) return;
      this.#reading.push(kind);
      void this.#read(this.#take(kind)).finally(() => {
        this.#reading.splice(this.#reading.indexOf(kind), 1);
        this.#start();
      });
    }
  }

  #mayRead({ kind }: Question<Key, Value>): boolean {
    return this.#reading.filter((other) => other === kind).length < this.#maxOfKind;
  }

  /** Those of a kind who have waited longest. */
  #take(kind: string): Question<Key, Value>[] {
    const batch: Question<Key, Value>[] = [];
    const others: Question<Key, Value>[] = [];
    for (const question of this.#questions) {
      const isOfIt = question.kind === kind && batch.length < this.#reader.maxKeys;
      (isOfIt ? batch : others).push(question);
    }
    this.#questions = others;
    return batch;
  }

  /** Never rejects: failures reject the promises of the callers. */
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

/** A reader of any store of a kind. */
interface StoreReader<Store, Key, Value> extends Omit<BatchReader<Key, Value>, 'read'> {
  read(store: Store, keys: Key[]): Promise<ReadonlyMap<Key, Value>>;
}

/** A read of one key that is a read of many when many ask the same store at once. */
export function readTogether<Store extends object, Key, Value>(
  reader: StoreReader<Store, Key, Value>,
): (store: Store, key: Key) => Promise<Value | undefined> {
  const loaders = new WeakMap<Store, Loader<Key, Value>>();
  return (store, key) => {
    let loader = loaders.get(store);
    if (loader === undefined) {
      loader = new Loader({ ...reader, read: (keys) => reader.read(store, keys) });
      loaders.set(store, loader);
    }
    return loader.load(key);
  };
}
