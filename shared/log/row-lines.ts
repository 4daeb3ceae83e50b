/** Room for the rows of a busy second; a longer row gets a chunk of its own. */
const chunkBytes = 64 * 1024;

/**
 * Rows as lines of JSON, encoded on arrival and outside the heap: garbage collection would move thousands of waiting
 * rows twice, and encoding them all at once would block the event loop.
 */
export class RowLines {
  readonly #full: Uint8Array[] = [];
  #open = Buffer.alloc(0);
  #used = 0;
  #fullBytes = 0;
  #rows = 0;

  get rows(): number {
    return this.#rows;
  }

  /** Of all lines. */
  get bytes(): number {
    return this.#fullBytes + this.#used;
  }

  add(row: readonly unknown[]): void {
    const line = `${JSON.stringify(row)}\n`;
    // No character of a string takes more than three bytes of UTF-8.
    if (line.length * 3 > this.#open.length - this.#used) this.#makeRoom(Buffer.byteLength(line));
    this.#used += this.#open.write(line, this.#used);
    this.#rows += 1;
  }

  /** The lines, in order; what is added later is not among them. */
  chunks(): Uint8Array[] {
    return [...this.#full, this.#open.subarray(0, this.#used)];
  }

  /** Removes all rows; the memory of the last ones is used again. */
  reset(): void {
    this.#full.length = 0;
    this.#used = 0;
    this.#fullBytes = 0;
    this.#rows = 0;
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#open.length - this.#used) return;
    const next = Buffer.allocUnsafeSlow(Math.max(chunkBytes, bytes));
    if (this.#used > 0) this.#full.push(this.#open.subarray(0, this.#used));
    this.#fullBytes += this.#used;
    this.#open = next;
    this.#used = 0;
  }
}
