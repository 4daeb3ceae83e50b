/** Size of a chunk in bytes: a busy second of rows; a longer text gets a chunk of its own. */
const chunkBytes = 64 * 1024;

/** Maximum bytes of a length: 35 bits. */
const lengthBytes = 5;

const twoTo32 = 2 ** 32;

/**
 * Rows in ClickHouse's format RowBinary, encoded on arrival and outside the heap: nothing is allocated per row, and the
 * garbage collector has nothing to move while rows wait. The caller writes the fields of a row in the order of the
 * columns of its insert, one method per field, then calls `endRow`:
 *
 * | column | methods |
 * |---|---|
 * | `String`, `LowCardinality(String)` | `string` |
 * | `Nullable(T)` | `uint8(1)` for null; else `uint8(0)` and the value; `nullableFloat64` |
 * | `Array(T)` | `length`, then the elements |
 * | `Map(K, V)` | `length`, then key and value of each entry |
 * | `Enum8`, `Bool` | `uint8`, `boolean` |
 * | `DateTime64(3)` | `int64`, in ms |
 */
export class BinaryRows {
  /** All chunks, those after the current one empty; `#ends` has the used bytes of those before it. */
  readonly #chunks: Buffer[] = [];
  readonly #ends: number[] = [];
  #chunk: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(this.#chunk.buffer, this.#chunk.byteOffset, 0);
  #used = 0;
  /** Bytes of the chunks before the current one. */
  #before = 0;
  #rows = 0;
  /** End of the last complete row: index of its chunk and bytes used in it. */
  #endChunk = 0;
  #endUsed = 0;

  get rows(): number {
    return this.#rows;
  }

  /** Bytes of all rows. */
  get bytes(): number {
    return this.#before + this.#used;
  }

  uint8(value: number): void {
    this.#reserve(1);
    this.#chunk[this.#used++] = value;
  }

  boolean(value: boolean): void {
    this.uint8(value ? 1 : 0);
  }

  uint16(value: number): void {
    this.#reserve(2);
    this.#view.setUint16(this.#used, value, true);
    this.#used += 2;
  }

  uint32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#used, value, true);
    this.#used += 4;
  }

  /** Writes a whole number from 0 to 2^53. */
  uint64(value: number): void {
    this.int64(value);
  }

  /** Writes a whole number from -2^53 to 2^53. */
  int64(value: number): void {
    this.#reserve(8);
    this.#view.setUint32(this.#used, value, true);
    this.#view.setInt32(this.#used + 4, Math.floor(value / twoTo32), true);
    this.#used += 8;
  }

  float32(value: number): void {
    this.#reserve(4);
    this.#view.setFloat32(this.#used, value, true);
    this.#used += 4;
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#used, value, true);
    this.#used += 8;
  }

  nullableFloat64(value: number | null): void {
    if (value === null) {
      this.uint8(1);
    } else {
      this.uint8(0);
      this.float64(value);
    }
  }

  /** Writes the number of elements of an array or of entries of a map, which follow. */
  length(value: number): void {
    this.#reserve(lengthBytes);
    this.#used = writeLength(this.#chunk, this.#used, value);
  }

  /** Writes a text in UTF-8. A surrogate without its other half becomes U+FFFD. */
  string(text: string): void {
    const { length } = text;
    // No UTF-16 unit takes more than three bytes of UTF-8. The exact size is found only when this might not fit.
    if (this.#used + lengthBytes + length * 3 > this.#chunk.length) {
      this.#reserve(lengthBytes + Buffer.byteLength(text));
    }
    // The length stands before the text: room for it is left as if every character took one byte.
    const from = this.#used + lengthSize(length);
    const written = this.#chunk.write(text, from);
    const to = this.#used + lengthSize(written);
    if (to !== from) this.#chunk.copyWithin(to, from, from + written);
    this.#used = writeLength(this.#chunk, this.#used, written) + written;
  }

  /** Writes a UUID, given in its text form of 36 characters. */
  uuid(text: string): void {
    this.#reserve(16);
    const chunk = this.#chunk;
    const at = this.#used;
    for (let index = 0; index < 16; index += 1) {
      const from = digitsOfUuid[index]!;
      chunk[at + index] = (hexDigits[text.charCodeAt(from)]! << 4) | hexDigits[text.charCodeAt(from + 1)]!;
    }
    this.#used = at + 16;
  }

  endRow(): void {
    this.#rows += 1;
    this.#endChunk = this.#ends.length;
    this.#endUsed = this.#used;
  }

  /** Removes the fields of a row that was not ended. */
  dropRow(): void {
    if (this.#ends.length > this.#endChunk) {
      for (const end of this.#ends.splice(this.#endChunk)) this.#before -= end;
      this.#open(this.#chunks[this.#endChunk]!);
    }
    this.#used = this.#endUsed;
  }

  /** Returns the bytes of all rows, in order; valid until `reset`. Rows that are added later are not among them. */
  chunks(): Uint8Array[] {
    const full = this.#ends.map((end, index) => this.#chunks[index]!.subarray(0, end));
    return [...full, this.#chunk.subarray(0, this.#used)];
  }

  /** Removes all rows. The memory that they took is used again, except that of texts longer than a chunk. */
  reset(): void {
    const used = this.#chunks.slice(0, this.#ends.length + 1);
    const kept = used.filter((chunk) => chunk.length === chunkBytes);
    this.#chunks.splice(0, Infinity, ...kept);
    this.#ends.length = 0;
    this.#before = 0;
    this.#rows = 0;
    this.#endChunk = 0;
    this.#endUsed = 0;
    this.#open(kept[0] ?? Buffer.alloc(0));
  }

  /** Makes sure that so many bytes fit into the current chunk. */
  #reserve(bytes: number): void {
    if (this.#used + bytes > this.#chunk.length) this.#nextChunk(bytes);
  }

  #nextChunk(bytes: number): void {
    if (this.#used > 0) {
      this.#ends.push(this.#used);
      this.#before += this.#used;
    }
    const next = this.#ends.length;
    if ((this.#chunks[next]?.length ?? 0) < bytes) {
      this.#chunks.splice(next, 0, Buffer.allocUnsafeSlow(Math.max(chunkBytes, bytes)));
    }
    this.#open(this.#chunks[next]!);
  }

  #open(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length);
    this.#used = 0;
  }
}

/** Positions of the digits of a UUID's bytes: two little-endian halves, so the last byte of a half comes first. */
const digitsOfUuid = Uint8Array.of(16, 14, 11, 9, 6, 4, 2, 0, 34, 32, 30, 28, 26, 24, 21, 19);

/** Values of hexadecimal digits by character code. */
const hexDigits = new Uint8Array(128);
for (let value = 0; value < 16; value += 1) {
  const digit = value.toString(16);
  hexDigits[digit.charCodeAt(0)] = value;
  hexDigits[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Size in bytes of a length, seven bits in each. */
function lengthSize(value: number): number {
  let size = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) size += 1;
  return size;
}

/** Writes a length and returns the position after it. */
function writeLength(chunk: Buffer, at: number, value: number): number {
  let rest = value;
  let end = at;
  for (; rest > 127; rest >>>= 7) chunk[end++] = (rest & 127) | 128;
  chunk[end++] = rest;
  return end;
}
