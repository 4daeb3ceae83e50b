import { Piscina } from 'piscina';
import type { Bill, BillRenderer } from '#api/services/money/bills.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { importsStripped } from '#shared/stripping/options.ts';

/** A bill takes a core some tens of milliseconds; more threads would take them from the requests. */
const threads = 2;

/** Beyond this a client waits longer for its bill than it cares to. */
const maxWaiting = 200;

/** Threads that draw bills; they begin with the first of them and end when there is nothing to do. */
export class WorkerPool implements BillRenderer {
  readonly #failed: (error: unknown) => void;
  readonly #entry: URL;
  #pool: Piscina<Bill, Uint8Array>;

  /**
   * @param failed receives the error when a thread could not begin.
   * @param entry the module that draws; another one in tests.
   */
  constructor(failed: (error: unknown) => void, entry = new URL('./bill-pdf.ts', import.meta.url)) {
    this.#failed = failed;
    this.#entry = entry;
    this.#pool = this.#open();
  }

  #open(): Piscina<Bill, Uint8Array> {
    const pool = new Piscina<Bill, Uint8Array>({
      filename: this.#entry.href,
      execArgv: importsStripped,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: 30_000,
    });
    // An unhandled error would end the process, and a pool whose thread could not start starts no other, so
    // its queue would wait indefinitely. The queue fails instead, and the next bill gets a new pool.
    pool.once('error', (error: unknown) => {
      this.#failed(error);
      this.#pool = this.#open();
      pool.on('error', this.#failed);
      void pool.destroy();
    });
    return pool;
  }

  async render(bill: Bill): Promise<Uint8Array> {
    if (this.#pool.queueSize >= maxWaiting) {
      throw new DomainError('RENDERER_BUSY', `${maxWaiting} documents wait already: try again shortly.`);
    }
    try {
      return await this.#draw(bill);
    } catch (error) {
      // A broken image can end its thread. The document matters more than the logo.
      if (bill.logo === null) throw error;
      return this.#draw({ ...bill, logo: null });
    }
  }

  #draw(bill: Bill): Promise<Uint8Array> {
    return this.#pool.run(bill, { name: 'drawBill' });
  }

  /** Lets what is being done end. */
  async close(): Promise<void> {
    await this.#pool.close();
  }
}
