import { LRUCache } from 'lru-cache';
import { isDrawable } from './images.ts';
import type { Outbound } from '#api/services/access/outbound.ts';

const maxLogoBytes = 1024 * 1024;
const cacheBytes = 32 * 1024 * 1024;
const timeoutMs = 3000;
const keptMs = 60 * 60 * 1000;
/** A logo that could not be loaded is requested again after this time. */
const retryMs = 5 * 60 * 1000;

/** Logos of networks by their URL, loaded through the outbound guard and kept for an hour. */
export class Logos {
  readonly #outbound: Outbound;
  readonly #images: LRUCache<string, { bytes: Uint8Array | null }>;

  constructor(outbound: Outbound) {
    this.#outbound = outbound;
    this.#images = new LRUCache({
      maxSize: cacheBytes,
      sizeCalculation: ({ bytes }) => 1024 + (bytes?.length ?? 0),
      fetchMethod: async (url, _stale, { options }) => {
        const bytes = await this.#load(url);
        options.ttl = bytes === null ? retryMs : keptMs;
        return { bytes };
      },
    });
  }

  /** Returns the image at a URL; or null without a PNG or JPEG that can be drawn. */
  async find(url: string | null): Promise<Uint8Array | null> {
    return url === null ? null : ((await this.#images.fetch(url))?.bytes ?? null);
  }

  async #load(url: string): Promise<Uint8Array | null> {
    try {
      const { status, body } = await this.#outbound.send({ method: 'GET', url, timeoutMs });
      const isUsable = status === 200 && body.length <= maxLogoBytes && isDrawable(body);
      return isUsable ? new Uint8Array(body) : null;
    } catch {
      // An address that is refused or does not answer costs the document its logo only.
      return null;
    }
  }
}
