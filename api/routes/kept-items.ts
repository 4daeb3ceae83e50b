import { LRUCache } from 'lru-cache';
import type { Static, TSchema } from 'typebox';
import { serializerOf } from '#api/plugins/serialization.ts';

/** Of all kept items of one kind; what is asked for least goes first. */
const mostBytes = 16 * 1024 * 1024;

/** Time changes how long a session has lasted and what it costs: as many as look at it within that time see the same. */
const momentMs = 1000;

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
 * Items of lists as JSON, kept as they were written first for as long as their versions are asked for, or for a moment where time
 * changes them. To read rows and to write them is most of what a page costs, and most pages are looked at again (ADR 26).
 */
export class KeptItems<Row, Item extends TSchema> {
  readonly #kind: ItemKind<Row, Item>;
  readonly #toJson: (item: unknown) => string;
  readonly #kept = new LRUCache<bigint, { version: string; json: Uint8Array }>({
    maxSize: mostBytes,
    ttlResolution: 0,
    sizeCalculation: ({ json }) => json.byteLength,
  });
  /** What is read now, by place. */
  readonly #underWay = new Map<string, Promise<void>>();

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
    let unknown = this.#takeKept(places, items);
    const others = new Set(unknown.flatMap((place) => this.#underWay.get(nameOf(place)) ?? []));
    if (others.size > 0) {
      // What somebody else reads already. Where that fails, or does not give it, it is read for us.
      await Promise.allSettled(others);
      unknown = this.#takeKept(unknown, items);
    }
    if (unknown.length > 0) {
      const names = unknown.map(nameOf);
      const written = this.#write(unknown, items, read);
      for (const name of names) this.#underWay.set(name, written);
      try {
        await written;
      } finally {
        for (const name of names) if (this.#underWay.get(name) === written) this.#underWay.delete(name);
      }
    }
    return places.flatMap(({ id }) => items.get(id) ?? []);
  }

  /** Takes what is kept, and gives the places of the others. */
  #takeKept(places: readonly Place[], items: Map<bigint, Uint8Array>): Place[] {
    return places.filter(({ id, version }) => {
      const kept = this.#kept.get(id);
      if (kept?.version !== version) return true;
      items.set(id, kept.json);
      return false;
    });
  }

  async #write(
    places: Place[],
    items: Map<bigint, Uint8Array>,
    read: (places: Place[]) => Promise<Row[]>,
  ): Promise<void> {
    const versions = new Map(places.map(({ id, version }) => [id, version]));
    for (const row of await read(places)) {
      const id = this.#kind.idOf(row);
      const json = encoder.encode(this.#toJson(this.#kind.view(row)));
      const version = versions.get(id);
      items.set(id, json);
      if (version === undefined) continue;
      this.#kept.set(id, { version, json }, { ttl: this.#kind.isFinal(row) ? 0 : momentMs });
    }
  }
}

const nameOf = ({ id, version }: Place) => `${id} ${version}`;
