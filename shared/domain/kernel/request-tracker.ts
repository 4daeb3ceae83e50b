import { Deadline } from './deadline.ts';

interface OpenRequest<Reply> {
  resolve(reply: Reply): void;
  reject(error: Error): void;
  deadline: Deadline;
}

/** Matches replies to requests by id; each request has a deadline. */
export class RequestTracker<Reply> {
  readonly #open = new Map<number, OpenRequest<Reply>>();
  #lastId = 0;

  /** Opens a request. `reply` rejects with `onTimeout()` after `timeoutMs`; await it at once. */
  open(timeoutMs: number, onTimeout: () => Error): { id: number; reply: Promise<Reply> } {
    const id = ++this.#lastId;
    const reply = new Promise<Reply>((resolve, reject) => {
      const deadline = new Deadline(timeoutMs, () => this.fail(id, onTimeout()));
      this.#open.set(id, { resolve, reject, deadline });
    });
    return { id, reply };
  }

  /** Resolves a request; ignores a late or second reply. */
  settle(id: number, reply: Reply): void {
    this.#close(id)?.resolve(reply);
  }

  /** Fails a request, if it is still open. */
  fail(id: number, error: Error): void {
    this.#close(id)?.reject(error);
  }

  /** Fails every open request. */
  failAll(reason: () => Error): void {
    for (const id of this.#open.keys()) this.fail(id, reason());
  }

  #close(id: number): OpenRequest<Reply> | undefined {
    const request = this.#open.get(id);
    if (request === undefined) return undefined;
    this.#open.delete(id);
    request.deadline.cancel();
    return request;
  }
}
