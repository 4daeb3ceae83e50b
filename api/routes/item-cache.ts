import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Static, TSchema } from 'typebox';
import { serializerOf } from '#api/plugins/serialization.ts';
import type { ItemReads, Versioned } from '#api/services/kernel/item-reads.ts';

/** Maximum total length of all cached items of one kind. The least recently used item is evicted first. */
const maxLength = 8 * 1024 * 1024;

/** Conversion of a record to the response of a read. */
interface ItemKind<Row, Item extends TSchema> {
  schema: Item;
  view(row: Row): Static<Item>;
  /** Returns for how many ms the item is valid while the version stays. By default only a new version changes it. */
  validForMs?(row: Row): number;
  /** Returns the counter of changes that is the ETag, or null for a response without one. */
  tagOf?(row: Row): number | null;
}

/** Response of a read, serialized. */
interface Item {
  version: string;
  json: string;
  tag: number | null;
  /** Time in ms since 1970 at which it is no longer valid. */
  validUntil: number;
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

  /**
   * Returns the item of a record, from the cache while its version is the stored one.
   * @param id identifier of the item in any case, with the caller where the view depends on it.
   */
  async read(id: string, reads: ItemReads<Versioned<Row>>): Promise<Item> {
    const key = id.toLowerCase();
    const kept = this.#kept.get(key);
    if (kept !== undefined && Date.now() < kept.validUntil && (await reads.version()) === kept.version)
      return kept;
    const readAt = Date.now();
    const row = await reads.row();
    const validForMs = this.#kind.validForMs?.(row) ?? Number.POSITIVE_INFINITY;
    const item = {
      version: row.rowVersion,
      json: this.#toJson(this.#kind.view(row)),
      tag: this.#kind.tagOf?.(row) ?? null,
      validUntil: readAt + validForMs,
    };
    if (validForMs > 0) this.#kept.set(key, item);
    else this.#kept.delete(key);
    return item;
  }
}

/** Lifetime in ms of an item that changes with time, such as a running session (its duration, its cost so far). */
export const momentMs = 1000;

/** Sends a serialized item without serializing it again. */
export function sendItem(reply: FastifyReply, json: string): never {
  return reply.type('application/json; charset=utf-8').send(json) as never;
}
