/** Questions to another thread or process that answers by message; null when it ended before it answered. */
export class Questions<Answer> {
  readonly #waiting = new Map<number, (answer: Answer | null) => void>();
  #last = 0;

  /** `send` puts the question with its id on its way. */
  ask(send: (id: number) => void): Promise<Answer | null> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      send(id);
    });
  }

  answer(id: number, answer: Answer | null): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }

  /** The other side is gone. */
  giveUp(): void {
    for (const id of this.#waiting.keys()) this.answer(id, null);
  }
}
