import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Behaviour of a link. A stalled link accepts connections and carries no byte, as a network that drops packets. */
export type LinkState =
  | { kind: 'open' }
  | { kind: 'cut' }
  | { kind: 'stalled' }
  | { kind: 'delayed'; ms: number }
  | { kind: 'throttled'; bytesPerSecond: number };

/** TCP proxy on loopback that can be cut, stalled, delayed and throttled while it runs. */
export class Link {
  readonly #server: Server;
  readonly #targets: readonly number[];
  readonly #translate: (answer: Buffer) => Buffer;
  readonly #sockets = new Set<Socket>();
  #state: LinkState = { kind: 'open' };
  #changed = Promise.withResolvers<void>();
  #held = 0;

  private constructor(targets: readonly number[], translate: (answer: Buffer) => Buffer) {
    this.#targets = targets;
    this.#translate = translate;
    this.#server = createServer((client) => void this.#accept(client));
  }

  /**
   * Opens a link to the first of `targets` (ports on loopback) that accepts a connection.
   * @param translate changes what the target sends.
   */
  static async open(
    targets: readonly number[],
    translate: (answer: Buffer) => Buffer = (answer) => answer,
  ): Promise<Link> {
    const link = new Link(targets, translate);
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the link does not listen');
    return address.port;
  }

  /** Number of chunks that a stalled link holds. */
  get held(): number {
    return this.#held;
  }

  get isOpen(): boolean {
    return this.#state.kind === 'open';
  }

  /** Changes the behaviour of present and new connections. */
  set(state: LinkState): void {
    this.#state = state;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
    if (state.kind === 'cut') for (const socket of this.#sockets) reset(socket);
  }

  async close(): Promise<void> {
    this.set({ kind: 'cut' });
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #accept(client: Socket): Promise<void> {
    this.#track(client);
    if (this.#state.kind === 'cut') {
      reset(client);
      return;
    }
    const target = await connectFirst(this.#targets);
    if (target === null || client.destroyed) {
      client.destroy();
      target?.destroy();
      return;
    }
    this.#track(target);
    void this.#carry(client, target, (chunk) => chunk);
    void this.#carry(target, client, this.#translate);
  }

  #track(socket: Socket): void {
    socket.setNoDelay(true);
    this.#sockets.add(socket);
    // A reset ends the other side as well, in #carry.
    socket.on('error', () => undefined);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  async #carry(from: Socket, to: Socket, translate: (chunk: Buffer) => Buffer): Promise<void> {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        await this.#pass(chunk.length);
        if (!to.write(translate(chunk))) await once(to, 'drain');
      }
      to.end();
    } catch {
      to.destroy();
    }
  }

  /** Resolves when the link lets so many bytes pass. */
  async #pass(bytes: number): Promise<void> {
    this.#held += 1;
    while (this.#state.kind === 'stalled') await this.#changed.promise;
    this.#held -= 1;
    if (this.#state.kind === 'delayed') await wait(this.#state.ms);
    if (this.#state.kind === 'throttled') await wait((bytes / this.#state.bytesPerSecond) * 1000);
  }
}

/** Resets a connection. One that is being shut down cannot be reset; Node.js would then wait for it forever at its end. */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

async function connectFirst(ports: readonly number[]): Promise<Socket | null> {
  for (const port of ports) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return socket;
    } catch {
      // The next target may accept it.
    }
  }
  return null;
}
