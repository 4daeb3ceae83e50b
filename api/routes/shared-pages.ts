import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { sendJson, serializerOf } from '#api/plugins/serialization.ts';
import { SharedReads } from '#shared/domain/kernel/shared-reads.ts';

/** List of which concurrent requests of the same address in the same scope share the read and the response (ADR 26). */
export class SharedPages<Body extends TSchema> {
  readonly #toJson: (body: unknown) => string;
  readonly #reads = new SharedReads<string>();

  /** @param body schema of the whole response. */
  constructor(body: Body) {
    this.#toJson = serializerOf(body);
  }

  /**
   * Sends a page.
   * @param scope everything of the caller that the page depends on, as JSON.
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    scope: unknown,
    read: () => Promise<Static<Body>>,
  ): Promise<never> {
    const key = `${request.url} ${JSON.stringify(scope)}`;
    return sendJson(reply, await this.#reads.read(key, async () => this.#toJson(await read())));
  }
}
