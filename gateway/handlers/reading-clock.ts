import type { MeterSample } from '#shared/domain/charging/meter-sample.ts';

/** Maximum number of series of readings that are remembered for a connection. */
const maxSeries = 64;

/** Readings of the last message of a series, with the time that the charger gave them. */
interface LastReadings {
  saidTime: string;
  receivedAt: Date;
  identities: Set<string>;
}

/**
 * Determines from the readings of one connection whether the charger's clock advances. Some chargers have no clock and send
 * the same time with every reading. Equal readings of such a charger are not repeats: nothing changes during a pause.
 */
export class ReadingClock {
  /** Null until the first reading: most connections of an idle shard never carry one. */
  #last: Map<string, LastReadings> | null = null;
  #standsStill = false;

  /**
   * Records a reading. Returns false once two messages of a series carry different readings with the same time: the
   * clock then counts as stopped for the rest of the connection.
   */
  advances(series: string, identity: string, { receivedAt }: MeterSample, saidTime: string): boolean {
    if (this.#standsStill) return false;
    this.#last ??= new Map();
    const last = this.#last.get(series);
    if (last?.saidTime !== saidTime) {
      if (last === undefined && this.#last.size >= maxSeries) this.#last.clear();
      this.#last.set(series, { saidTime, receivedAt, identities: new Set([identity]) });
    } else if (last.receivedAt === receivedAt) {
      // One message may split the values of one instant over several readings.
      last.identities.add(identity);
    } else if (!last.identities.has(identity)) {
      this.#standsStill = true;
      this.#last = null;
    }
    return !this.#standsStill;
  }
}
