import { readFileSync } from 'node:fs';

// Preloaded into each thread of a process of the product: shifts its wall clock by the milliseconds that a file holds, so that
// the harness can step the clock of one process. Plain JavaScript, since it runs before types are stripped.

const file = new URL(import.meta.url).searchParams.get('file');
const readEveryMs = 50;
const RealDate = Date;
let offsetMs = 0;

const now = () => RealDate.now() + offsetMs;

/** @this {unknown} */
function SteppedDate(...given) {
  if (new.target === undefined) return new RealDate(now()).toString();
  return Reflect.construct(RealDate, given.length === 0 ? [now()] : given, new.target);
}
Object.setPrototypeOf(SteppedDate, RealDate);
SteppedDate.prototype = RealDate.prototype;
SteppedDate.prototype.constructor = SteppedDate;
SteppedDate.now = now;

function read() {
  offsetMs = Number(readFileSync(file, 'utf8'));
}

read();
setInterval(read, readEveryMs).unref();
globalThis.Date = SteppedDate;
