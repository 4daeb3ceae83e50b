import { LRUCache } from 'lru-cache';
import type { Static, TSchema } from 'typebox';
import { serializerOf } from '#api/plugins/serialization.ts';

/** Of all kept items of one kind; what was not asked for for longest goes first. */
const maxBytes = 16 * 1024 * 1024;

/** For how long an item is kept that time changes, as a session that runs: how long it has lasted, what it costs so far. */
const momentMs = 1000;

/** What is told of that in the description of a list of sessions. */
export const runningAge =
  'Of a session that runs, the duration, the idle time and the price so far may be a second old.';

/** Gives each item memory of its own: small buffers share theirs, and one that is kept would keep that of its neighbours. */
const encoder = new TextEncoder();

/** Where an item is in a list; it has another version as soon as it may be shown otherwise. */
interface Place {
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

type Read<Row> = (places: Place[]) => Promise<Row[]>;

/** Items by id. */
type Written = ReadonlyMap<bigint, Uint8Array>;

/**
 * Items of lists as JSON, kept as they were written first for as long as their versions are asked for, or for a moment where time
 * changes them. To read rows and to write them is most of what a page costs, and most pages are looked at again (ADR 26).
 */
export class KeptItems<Row, Item extends TSchema> {
  readonly #kind: ItemKind<Row, Item>;
  readonly #toJson: (item: unknown) => string;
  readonly #kept = new LRUCache<bigint, { version: string; json: Uint8Array }>({
    maxSize: maxBytes,
    ttlResolution: 0,
    sizeCalculation: ({ json }) => json.byteLength,
  });
  /** What is read now, by place. */
  readonly #underWay = new Map<string, Promise<Written>>();

  constructor(kind: ItemKind<Row, Item>) {
    this.#kind = kind;
    this.#toJson = serializerOf(kind.schema);
  }

  /**
   * The items at these places, in their order.
   * @param read gives the rows of places whose items are not kept, in any order; one that it does not give is left out.
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

  /** Reads at once what nobody reads yet, and takes the others' items from those who do. */
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
      // Where the other's read has failed, or has left it out for not being theirs any more, it is read for us.
      const found = await reading.catch(() => null);
      const json = found?.get(place.id);
      if (json === undefined) left.push(place);
      else items.set(place.id, json);
    }
    for (const [id, json] of await this.#read(left, read)) items.set(id, json);
  }

  /** What is read of some places; until then others wait for it. */
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
