import { runBisected } from './bisect.ts';
import { within } from './deadline.ts';

/** Options for reading the values of many keys at once. */
export interface BatchReader<Key, Value> {
  /** Reads all that are there; a key without a value is left out. */
  read(keys: Key[]): Promise<ReadonlyMap<Key, Value>>;
  /** Returns whether a failure is the store's (all keys would fail again) and not a key's. */
  isStoreFailure(error: unknown): boolean;
  /** Keys read at once at most. */
  maxKeys: number;
  /** Time in ms after which a read fails. */
  deadlineMs: number;
  /** Maximum number of concurrent reads; by default one. */
  maxReads?: number;
  /** Returns the kind of a key: only keys of one kind share a read. By default all do. */
  kindOf?(key: Key): string;
  /** Maximum number of concurrent reads of one kind; by default `maxReads`. */
  maxOfKind?: number;
}

interface Question<Key, Value> {
  key: Key;
  kind: string;
  resolve(value: Value | undefined): void;
  reject(error: unknown): void;
}

/**
 * Batch loader: reads the keys of concurrent callers in few statements. A single key is read at once. Keys that arrive
 * during a read wait for its end and share the next one, so batches grow with the load. A read begins after all its
 * keys were requested, so each caller sees what was stored before. A key that makes a read fail does not affect others, as an item
 * of the gateway's `Batcher` does.
 */
export class Loader<Key, Value> {
  readonly #reader: BatchReader<Key, Value>;
  readonly #maxReads: number;
  readonly #maxOfKind: number;
  #questions: Question<Key, Value>[] = [];
  /** Kinds of the reads in progress. */
  #reading: string[] = [];
  #willRead = false;

  constructor(reader: BatchReader<Key, Value>) {
    this.#reader = reader;
    this.#maxReads = reader.maxReads ?? 1;
    this.#maxOfKind = reader.maxOfKind ?? this.#maxReads;
  }

  /** Returns the value of a key, or undefined; rejects when it could not be read. */
  load(key: Key): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      this.#questions.push({ key, kind: this.#reader.kindOf?.(key) ?? '', resolve, reject });
      if (this.#willRead || this.#reading.length >= this.#maxReads) return;
      this.#willRead = true;
      // Deferred, so that requests of the same turn of the event loop share a statement.
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
  #read(batch: Question<Key, Value>[]): Promise<void> {
    const { deadlineMs } = this.#reader;
    return runBisected(batch, {
      run: (questions) => {
        const keys = [...new Set(questions.map(({ key }) => key))];
        return within(this.#reader.read(keys), deadlineMs, 'the read of a batch');
      },
      isStoreFailure: (error) => this.#reader.isStoreFailure(error),
      succeeded(questions, values) {
        for (const question of questions) question.resolve(values.get(question.key));
      },
      failed(questions, error) {
        for (const question of questions) question.reject(error);
      },
    });
  }
}

/** A reader of any store of a kind. */
interface StoreReader<Store, Key, Value> extends Omit<BatchReader<Key, Value>, 'read'> {
  read(store: Store, keys: Key[]): Promise<ReadonlyMap<Key, Value>>;
}

/** A read of one key that is a read of many when many ask the same store at once. */
export function batchLoader<Store extends object, Key, Value>(
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
