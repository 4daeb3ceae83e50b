import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Static, TSchema } from 'typebox';
import { serializerOf } from '#api/plugins/serialization.ts';
import { SharedReads } from '#shared/domain/kernel/shared-reads.ts';
import { listBody } from './serialized-list.ts';

/** Maximum total size in bytes of all cached items of one kind. The least recently used item is evicted first. */
const maxBytes = 16 * 1024 * 1024;

/** Sentence about the lifetime of items that change with time, for the descriptions of sessions. */
export const runningAge = 'The duration, idle time and price of a running session may be one second old.';

/** Sentence about cached totals, for the descriptions of lists. */
export const largeTotals = 'A total above 10,000 may be ten seconds old.';

/**
 * Allocates separate memory for each item. Small buffers share memory, so that a cached one would retain the memory of its
 * neighbours.
 */
const encoder = new TextEncoder();

/** Position of an item in a list. Its version changes whenever its JSON can change. */
interface Place<Id> {
  id: Id;
  version: string;
}

/** Conversion of rows to the items of a list. */
interface ItemKind<Id, Row, Item extends TSchema> {
  schema: Item;
  idOf: (row: Row) => Id;
  view: (row: Row) => Static<Item>;
  /**
   * Returns the version that was read with the row. By default the item has the version of its position, which was read
   * before: right only for versions that never come back.
   */
  versionOf?: (row: Row) => string;
  /** Returns for how many ms the item is valid while the version stays. By default only a new version changes it. */
  validForMs?: (row: Row) => number;
}

type Read<Id, Row> = (places: Place<Id>[]) => Promise<Row[]>;

/** Page of a list. */
interface Page<Id, Row> {
  /** Returns the positions of the page, and the fields of the response alongside `data`. */
  find: () => Promise<{ places: readonly Place<Id>[]; rest: object }>;
  /** Returns the rows of positions that are not cached, in any order. */
  read: Read<Id, Row>;
}

/** Serialized items by id. */
type Written<Id> = ReadonlyMap<Id, Uint8Array>;

interface Item {
  version: string;
  json: Uint8Array;
  /** Time in ms since 1970 at which it is no longer valid. */
  validUntil: number;
}

/**
 * Cache of list items as JSON, by version. An item is valid while its version is requested, or for a while where time
 * changes it. Reading and serializing rows is most of the cost of a page, and most pages are requested repeatedly (ADR
 * 26).
 */
export class ListItemCache<Id extends number | bigint, Row, Schema extends TSchema> {
  readonly #kind: ItemKind<Id, Row, Schema>;
  readonly #toJson: (item: unknown) => string;
  readonly #kept = new LRUCache<Id, Item>({
    maxSize: maxBytes,
    sizeCalculation: ({ json }) => json.byteLength,
  });
  /** Reads in progress, by position. */
  readonly #underWay = new Map<string, Promise<Written<Id>>>();
  readonly #pages = new SharedReads<Uint8Array>();

  constructor(kind: ItemKind<Id, Row, Schema>) {
    this.#kind = kind;
    this.#toJson = serializerOf(kind.schema);
  }

  /**
   * Sends a page. Concurrent requests of the same address within the same scope share its statements and its body (ADR
   * 50).
   * @param scope everything of the caller that the page depends on, as JSON.
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    scope: unknown,
    page: Page<Id, Row>,
  ): Promise<never> {
    const body = await this.#pages.read(`${request.url} ${JSON.stringify(scope)}`, async () => {
      const { places, rest } = await page.find();
      return listBody(await this.at(places, page.read), rest);
    });
    return reply.type('application/json; charset=utf-8').send(body) as never;
  }

  /**
   * Returns the items at these positions, in their order.
   * @param read returns the rows of positions that are not cached, in any order. A row that it omits is omitted from
   * the result.
   */
  async at(places: readonly Place<Id>[], read: Read<Id, Row>): Promise<Uint8Array[]> {
    const items = new Map<Id, Uint8Array>();
    const now = Date.now();
    const unknown = places.filter(({ id, version }) => {
      const kept = this.#kept.get(id);
      if (kept?.version !== version || now >= kept.validUntil) return true;
      items.set(id, kept.json);
      return false;
    });
    if (unknown.length > 0) await this.#readUnknown(unknown, items, read);
    return places.flatMap(({ id }) => items.get(id) ?? []);
  }

  /** Reads the items that no other request is reading and waits for those that are being read. */
  async #readUnknown(places: Place<Id>[], items: Map<Id, Uint8Array>, read: Read<Id, Row>): Promise<void> {
    const unread: Place<Id>[] = [];
    const ofOthers: { place: Place<Id>; reading: Promise<Written<Id>> }[] = [];
    for (const place of places) {
      const reading = this.#underWay.get(nameOf(place));
      if (reading === undefined) unread.push(place);
      else ofOthers.push({ place, reading });
    }
    const own = this.#read(unread, read);
    await Promise.allSettled([own, ...ofOthers.map(({ reading }) => reading)]);
    for (const [id, json] of await own) items.set(id, json);
    const left: Place<Id>[] = [];
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
  async #read(places: Place<Id>[], read: Read<Id, Row>): Promise<Written<Id>> {
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

  async #write(places: Place<Id>[], read: Read<Id, Row>): Promise<Written<Id>> {
    const readAt = Date.now();
    const { idOf, view, versionOf, validForMs } = this.#kind;
    const versions = new Map(places.map(({ id, version }) => [id, version]));
    const items = new Map<Id, Uint8Array>();
    for (const row of await read(places)) {
      const id = idOf(row);
      const json = encoder.encode(this.#toJson(view(row)));
      const version = versionOf?.(row) ?? versions.get(id);
      items.set(id, json);
      if (version === undefined) continue;
      const validUntil = readAt + (validForMs?.(row) ?? Number.POSITIVE_INFINITY);
      this.#kept.set(id, { version, json, validUntil });
    }
    return items;
  }
}

const nameOf = ({ id, version }: Place<number | bigint>) => `${id} ${version}`;
