import { LRUCache } from 'lru-cache';
import type { Static, TSchema } from 'typebox';
import { serializerOf } from '#api/plugins/serialization.ts';
import { momentMs } from './item-cache.ts';

/** Maximum total size in bytes of all cached items of one kind. The least recently used item is evicted first. */
const maxBytes = 16 * 1024 * 1024;

/** Sentence about the lifetime of items that change with time, for the descriptions of sessions. */
export const runningAge = 'The duration, idle time and price of a running session may be one second old.';

/**
 * Allocates separate memory for each item. Small buffers share memory, so that a cached one would retain that of its
 * neighbours.
 */
const encoder = new TextEncoder();

/** Position of an item in a list. Its version changes whenever its JSON can change. */
interface Place {
  id: bigint;
  version: string;
}

/** Conversion of rows to the items of a list. */
interface ItemKind<Row, Item extends TSchema> {
  schema: Item;
  idOf(row: Row): bigint;
  view(row: Row): Static<Item>;
  /** Returns true when only a new version changes the item, false when time changes it too. */
  isFinal(row: Row): boolean;
}

type Read<Row> = (places: Place[]) => Promise<Row[]>;

/** Serialized items by id. */
type Written = ReadonlyMap<bigint, Uint8Array>;

/**
 * Cache of list items as JSON, by version. An item is valid while its version is requested, or for a moment where time
 * changes it. Reading and serializing rows is most of the cost of a page, and most pages are requested repeatedly (ADR
 * 26).
 */
export class ListItemCache<Row, Item extends TSchema> {
  readonly #kind: ItemKind<Row, Item>;
  readonly #toJson: (item: unknown) => string;
  readonly #kept = new LRUCache<bigint, { version: string; json: Uint8Array }>({
    maxSize: maxBytes,
    ttlResolution: 0,
    sizeCalculation: ({ json }) => json.byteLength,
  });
  /** Reads in progress, by position. */
  readonly #underWay = new Map<string, Promise<Written>>();

  constructor(kind: ItemKind<Row, Item>) {
    this.#kind = kind;
    this.#toJson = serializerOf(kind.schema);
  }

  /**
   * Returns the items at these positions, in their order.
   * @param read returns the rows of positions that are not cached, in any order. A row that it omits is omitted from
   * the result.
   */
  async at(places: readonly Place[], read: Read<Row>): Promise<Uint8Array[]> {
    const items = new Map<bigint, Uint8Array>();
    const unknown = places.filter(({ id, version }) => {
      const kept = this.#kept.get(id);
      if (kept?.version !== version) return true;
      items.set(id, kept.json);
      return false;
    });
    if (unknown.length > 0) await this.#readUnknown(unknown, items, read);
    return places.flatMap(({ id }) => items.get(id) ?? []);
  }

  /** Reads the items that no other request is reading and waits for those that are being read. */
  async #readUnknown(places: Place[], items: Map<bigint, Uint8Array>, read: Read<Row>): Promise<void> {
    const unread: Place[] = [];
    const ofOthers: { place: Place; reading: Promise<Written> }[] = [];
    for (const place of places) {
      const reading = this.#underWay.get(nameOf(place));
      if (reading === undefined) unread.push(place);
      else ofOthers.push({ place, reading });
    }
    const own = this.#read(unread, read);
    await Promise.allSettled([own, ...ofOthers.map(({ reading }) => reading)]);
    for (const [id, json] of await own) items.set(id, json);
    const left: Place[] = [];
    for (const { place, reading } of ofOthers) {
      // Another request's read can fail, or omit an item that its caller must not see: read such items for this
      // caller.
      const found = await reading.catch(() => null);
      const json = found?.get(place.id);
      if (json === undefined) left.push(place);
      else items.set(place.id, json);
    }
    for (const [id, json] of await this.#read(left, read)) items.set(id, json);
  }

  /** Reads items; concurrent requests for the same positions share this read. */
  async #read(places: Place[], read: Read<Row>): Promise<Written> {
    if (places.length === 0) return new Map();
    const names = places.map(nameOf);
    const written = this.#write(places, read);
    for (const name of names) this.#underWay.set(name, written);
    try {
      return await written;
    } finally {
      for (const name of names) if (this.#underWay.get(name) === written) this.#underWay.delete(name);
    }
  }

  async #write(places: Place[], read: Read<Row>): Promise<Written> {
    const start = performance.now();
    const versions = new Map(places.map(({ id, version }) => [id, version]));
    const items = new Map<bigint, Uint8Array>();
    for (const row of await read(places)) {
      const id = this.#kind.idOf(row);
      const json = encoder.encode(this.#toJson(this.#kind.view(row)));
      const version = versions.get(id);
      items.set(id, json);
      if (version === undefined) continue;
      this.#kept.set(id, { version, json }, { start, ttl: this.#kind.isFinal(row) ? 0 : momentMs });
    }
    return items;
  }
}

const nameOf = ({ id, version }: Place) => `${id} ${version}`;
