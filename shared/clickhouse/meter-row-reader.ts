/** Bytes of the columns before `session_id`: network, charger, EVSE, connector. */
const bytesBeforeSession = 12;

/** Times that `DateTime64(3)` can hold are closer to 1970, in ms. */
const maxTimeMs = Date.UTC(2300, 0);

/**
 * Adds the time of the earliest reading (ms since 1970) of each session to `earliest`, by session uuid. The rows are
 * those of `addMeterRow`, of this release or an earlier one; readings without a session are left out.
 * @param columns of the rows.
 * @throws {RangeError} when the bytes are no such rows.
 */
export function noteEarliest(rows: Buffer, columns: readonly string[], earliest: Map<string, number>): void {
  // `Nullable(Float64)` columns are between `context` and `extra`, texts behind `flags`.
  const values = columns.indexOf('extra') - columns.indexOf('context') - 1;
  const texts = columns.length - columns.indexOf('flags') - 1;
  for (let at = 0; at < rows.length;) {
    at += bytesBeforeSession;
    const [high, low] = [rows.readBigUInt64LE(at), rows.readBigUInt64LE(at + 8)];
    const time = Number(rows.readBigInt64LE(at + 16));
    if (Math.abs(time) > maxTimeMs) throw new RangeError(`the time ${time} is not that of a reading`);
    if (high !== 0n || low !== 0n) {
      const session = uuidOf(high, low);
      earliest.set(session, Math.min(time, earliest.get(session) ?? time));
    }
    at = endOfRow(rows, at + 32, values, texts);
  }
}

function uuidOf(high: bigint, low: bigint): string {
  const digits = high.toString(16).padStart(16, '0') + low.toString(16).padStart(16, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns the offset behind a row whose `context` is at `start`. */
function endOfRow(rows: Buffer, start: number, values: number, texts: number): number {
  let at = endOfText(rows, start);
  for (let column = 0; column < values; column += 1) at += rows[at] === 1 ? 1 : 9;
  at = endOfTexts(rows, at, 2);
  at = endOfTexts(rows, at, 1);
  for (let text = 0; text < texts; text += 1) at = endOfText(rows, at);
  return at;
}

/** Returns the offset behind a list of elements of `texts` texts each. */
function endOfTexts(rows: Buffer, start: number, texts: number): number {
  const { value, end } = lengthAt(rows, start);
  let at = end;
  for (let left = value * texts; left > 0; left -= 1) at = endOfText(rows, at);
  return at;
}

function endOfText(rows: Buffer, start: number): number {
  const { value, end } = lengthAt(rows, start);
  return end + value;
}

/** Reads a length: seven bits in each byte, the lowest first. */
function lengthAt(rows: Buffer, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start, factor = 1; ; at += 1, factor *= 128) {
    const byte = rows.readUInt8(at);
    value += (byte & 127) * factor;
    if (byte < 128) return { value, end: at + 1 };
  }
}
