import type { Product } from './product.ts';

/** Load of a run. */
export interface Load {
  stations: number;
  seconds: number;
  /** Readings in a MeterValues message. */
  samples: number;
  /** HTTP connections at once. */
  connections: number;
  /** Of the history that is read. */
  sessions: number;
}

/** One line of a report. */
export interface Measurement {
  what: string;
  value: number;
  unit: string;
}

/** A load with a name: it gets a product that is ready and fresh, and answers with what it measured. */
export interface Scenario {
  name: string;
  describe: string;
  run(product: Product, load: Load): Promise<Measurement[]>;
}
