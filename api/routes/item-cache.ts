import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Static, TSchema } from 'typebox';
import { serializerOf } from '#api/plugins/serialization.ts';

/** Maximum total length of all cached items of one kind. The least recently used item is evicted first. */
const maxLength = 8 * 1024 * 1024;

/** Conversion of a record to the response of a read. */
interface ItemKind<Row, Item extends TSchema> {
  schema: Item;
  view(row: Row): Static<Item>;
  /** Version of the record. Another one whenever its JSON can change. */
  versionOf(row: Row): string;
  /** Returns true when only a new version changes the item, false when time changes it too. */
  isFinal(row: Row): boolean;
  /** Returns the counter of changes that is the ETag, or null for a response without one. */
  tagOf?(row: Row): number | null;
}

/** Reads of one record, both within the scope of the caller. */
interface ItemReads<Row> {
  /** Returns the version of the record now; null when the caller sees none. */
  version(): Promise<string | null>;
  /** Returns the record. Rejects with the error of the response when the caller sees none. */
  row(): Promise<Row>;
}

/** Response of a read, serialized. */
interface Item {
  version: string;
  json: string;
  tag: number | null;
}

/**
 * Cache of single records as JSON, by version. Each read asks the store for the version, within the scope of its caller: a
 * change is visible at once, and an item reaches only callers who see its record (ADR 43).
 */
export class ItemCache<Row, Schema extends TSchema> {
  readonly #kind: ItemKind<Row, Schema>;
  readonly #toJson: (item: unknown) => string;
  readonly #kept = new LRUCache<string, Item>({
    maxSize: maxLength,
    sizeCalculation: ({ json }) => json.length,
  });

  constructor(kind: ItemKind<Row, Schema>) {
    this.#kind = kind;
    this.#toJson = serializerOf(kind.schema);
  }

  /** Returns the item of a record, from the cache while its version is the stored one. */
  async read(uuid: string, reads: ItemReads<Row>): Promise<Item> {
    const key = uuid.toLowerCase();
    const kept = this.#kept.get(key);
    if (kept !== undefined && (await reads.version()) === kept.version) return kept;
    const row = await reads.row();
    const item = {
      version: this.#kind.versionOf(row),
      json: this.#toJson(this.#kind.view(row)),
      tag: this.#kind.tagOf?.(row) ?? null,
    };
    if (this.#kind.isFinal(row)) this.#kept.set(key, item);
    else this.#kept.delete(key);
    return item;
  }
}

/** Sends a serialized item without serializing it again. */
export function sendItem(reply: FastifyReply, json: string): never {
  return reply.type('application/json; charset=utf-8').send(json) as never;
}
