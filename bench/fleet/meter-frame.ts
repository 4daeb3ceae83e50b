import { encodeFrame, opcode, payloadOffset } from '#shared/simulator/frames.ts';
import { tenth } from '#shared/simulator/measurands.ts';
import type { Reading, Session, Station } from '#shared/simulator/station.ts';

/** Part of the frame that is rewritten for every message: right-aligned, after JSON's blanks. */
interface Slot {
  position: number;
  width: number;
  quoted: boolean;
}

type Field = Exclude<keyof Reading, 'time'>;

/** Stand-ins, as wide as the widest value they stand for; none begins with another. */
const placeholders: Record<Field, number> = {
  energyWh: 9_876_543_219,
  powerW: 98_765_431,
  currentA: 98_761,
  voltageV: 98_762,
  socPercent: 9_873,
  temperatureC: 9_874,
};
const sequencePlaceholder = 987_650_001;
const fields: readonly Field[] = ['energyWh', 'powerW', 'currentA', 'voltageV', 'socPercent', 'temperatureC'];
const idWidth = 12;
const idPosition = 4;

/**
 * A MeterValues (1.6) or TransactionEvent (2.0.1) frame of one session, encoded and masked once; a message then
 * costs only the digits that change. What it says is what Station.sendMeterValues would say.
 */
export class MeterFrame {
  readonly frame: Buffer;
  id = '';
  readonly #body: number;
  readonly #idPrefix: string;
  readonly #times: number[][] = [];
  readonly #values = new Map<Field, Slot[]>();
  readonly #sequence: Slot | undefined;
  #messages = 0;

  constructor(station: Station, session: Session, samples: number) {
    const readings = Array.from({ length: samples }, (_, index) => ({
      ...placeholders,
      time: new Date(index + 1),
    }));
    const call = station.encodeMeterValues(session, readings, sequencePlaceholder);
    const text = JSON.stringify([2, '_'.repeat(idWidth), call.action, call.payload]);
    for (const { time } of readings) this.#times.push(findAll(text, time.toISOString()));
    for (const field of fields) this.#values.set(field, findValues(text, '"value":', placeholders[field]));
    this.#sequence = findValues(text, '"seqNo":', sequencePlaceholder)[0];
    // Message ids differ from those of other runs and of the station's own calls.
    this.#idPrefix = `f${Date.now().toString(36).slice(-5)}`;
    this.frame = encodeFrame(opcode.text, text);
    this.#body = payloadOffset(text.length);
  }

  /** Writes the next message into the frame, under a new id. `readings` are as many as the frame has samples. */
  write(readings: readonly Reading[], sequence: number): void {
    this.id = this.#idPrefix + (++this.#messages).toString(36).padStart(idWidth - this.#idPrefix.length, '0');
    this.#put(idPosition, this.id);
    for (let index = 0; index < readings.length; index++) {
      const reading = readings[index];
      if (reading === undefined) continue;
      const time = reading.time.toISOString();
      for (const position of this.#times[index] ?? []) this.#put(position, time);
      for (const field of fields)
        this.#putValue(this.#values.get(field)?.[index], tenth(reading[field] ?? 0));
    }
    this.#putValue(this.#sequence, sequence);
  }

  #putValue(slot: Slot | undefined, value: number): void {
    if (slot === undefined) return;
    const token = slot.quoted ? `"${value}"` : String(value);
    if (token.length > slot.width) throw new RangeError(`${value} does not fit the frame`);
    this.#put(slot.position, token.padStart(slot.width));
  }

  #put(position: number, ascii: string): void {
    const { frame } = this;
    const key = this.#body - 4;
    // Byte by byte: for a few digits that is cheaper than a call into native code, and the mask goes with it.
    for (let at = 0; at < ascii.length; at++, position++) {
      frame[this.#body + position] = ascii.charCodeAt(at) ^ (frame[key + (position & 3)] ?? 0);
    }
  }
}

function findAll(text: string, wanted: string): number[] {
  const positions: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) positions.push(at);
  return positions;
}

/** Returns the positions of a number after a name, as a number or in quotes as in 1.6. */
function findValues(text: string, name: string, value: number): Slot[] {
  for (const token of [String(value), `"${value}"`]) {
    const positions = findAll(text, name + token);
    if (positions.length === 0) continue;
    const quoted = token.startsWith('"');
    return positions.map((at) => ({ position: at + name.length, width: token.length, quoted }));
  }
  return [];
}
