import { LRUCache } from 'lru-cache';
import type { Static, TSchema } from 'typebox';
import { serializerOf } from '#api/plugins/serialization.ts';

/** Of all kept items of one kind; what is asked for least goes first. */
const mostBytes = 16 * 1024 * 1024;

/** Gives each item memory of its own: small buffers share theirs, and one that is kept would keep that of its neighbours. */
const encoder = new TextEncoder();

/** Where an item is in a list; it has another version as soon as it may be shown otherwise. */
export interface Place {
  id: bigint;
  version: string;
}

/** How the items of a list are made of rows. */
interface ItemKind<Row, Item extends TSchema> {
  schema: Item;
  idOf(row: Row): bigint;
  view(row: Row): Static<Item>;
  /** Whether nothing but a new version of it changes what is shown, as time does of what is under way. */
  isFinal(row: Row): boolean;
}

/**
 * Items of lists as JSON, kept as they were written first for as long as their versions are asked for. To read rows and to write
 * them is most of what a page costs, and most pages are looked at again (ADR 26).
 */
export class KeptItems<Row, Item extends TSchema> {
  readonly #kind: ItemKind<Row, Item>;
  readonly #toJson: (item: unknown) => string;
  readonly #kept = new LRUCache<bigint, { version: string; json: Uint8Array }>({
    maxSize: mostBytes,
    sizeCalculation: ({ json }) => json.byteLength,
  });

  constructor(kind: ItemKind<Row, Item>) {
    this.#kind = kind;
    this.#toJson = serializerOf(kind.schema);
  }

  /**
   * The items at these places, in their order.
   * @param read gives the rows of places whose items are not kept, in any order; one that it does not give is left out.
   */
  async at(places: readonly Place[], read: (places: Place[]) => Promise<Row[]>): Promise<Uint8Array[]> {
    const items = new Map<bigint, Uint8Array>();
    const unknown: Place[] = [];
    for (const place of places) {
      const kept = this.#kept.get(place.id);
      if (kept?.version === place.version) items.set(place.id, kept.json);
      else unknown.push(place);
    }
    if (unknown.length > 0) {
      const versions = new Map(unknown.map(({ id, version }) => [id, version]));
      for (const row of await read(unknown)) {
        const id = this.#kind.idOf(row);
        const json = encoder.encode(this.#toJson(this.#kind.view(row)));
        const version = versions.get(id);
        items.set(id, json);
        if (version !== undefined && this.#kind.isFinal(row)) this.#kept.set(id, { version, json });
      }
    }
    return places.flatMap(({ id }) => items.get(id) ?? []);
  }
}
