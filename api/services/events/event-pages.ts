import { onlyNetworks } from '#shared/domain/access/tenancy.ts';
import type { PublicEvent } from '#shared/domain/events/event-types.ts';
import { type EventPage, readEventLog } from '#shared/postgres/events/event-log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';

/** Page that was read, for all readers whose position lies in it. */
interface KeptPage extends EventPage {
  after: bigint;
  readAt: number;
}

/** Time for which a page is kept, in ms: readers of one network are seconds apart. */
const keptMs = 10_000;
const pagesOfNetwork = 8;

/**
 * Pages of the event log that readers of one process share. A page is complete when it is read, because positions become visible in
 * ascending order, so that it serves every reader of its network.
 */
export class EventPages {
  readonly #sql: Sql;
  readonly #pageSize: number;
  readonly #kept = new Map<number, KeptPage[]>();
  readonly #reading = new Map<string, Promise<KeptPage>>();

  constructor(sql: Sql, pageSize: number) {
    this.#sql = sql;
    this.#pageSize = pageSize;
  }

  /** Returns the next events of a network after a position. */
  async after(networkId: number, position: bigint): Promise<EventPage> {
    const page = this.#keptAt(networkId, position) ?? (await this.#read(networkId, position));
    const events: PublicEvent[] = page.events.filter((event) => event.position > position);
    return { events, upTo: page.upTo, hasMore: page.hasMore };
  }

  #keptAt(networkId: number, position: bigint): KeptPage | undefined {
    const pages = this.#kept.get(networkId);
    return pages?.find(({ after, upTo }) => after <= position && position < upTo);
  }

  #read(networkId: number, after: bigint): Promise<KeptPage> {
    const key = `${networkId} ${after}`;
    const running = this.#reading.get(key);
    if (running !== undefined) return running;
    const reading = readEventLog(this.#sql, onlyNetworks([networkId]), {}, after, this.#pageSize)
      .then((page) => this.#keep(networkId, { ...page, after, readAt: performance.now() }))
      .finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  #keep(networkId: number, page: KeptPage): KeptPage {
    const oldest = page.readAt - keptMs;
    for (const [network, pages] of this.#kept) {
      if ((pages.at(-1)?.readAt ?? 0) < oldest) this.#kept.delete(network);
    }
    if (page.upTo === page.after) return page;
    const pages = (this.#kept.get(networkId) ?? []).filter(({ readAt }) => readAt >= oldest);
    this.#kept.set(networkId, [...pages.slice(1 - pagesOfNetwork), page]);
    return page;
  }
}
