import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import t from 'tap';

const hourMs = 3_600_000;

/** Prints the number of the thread and its clock, every 100 ms. */
const clock = `
  import { threadId } from 'node:worker_threads';
  setInterval(() => console.log(JSON.stringify([threadId, Date.now(), new Date().getTime(), new Date(7).getTime()])), 100);
`;
/** Starts a worker with arguments of its own, as the supervisor of a gateway does. */
const main = `
  import { Worker } from 'node:worker_threads';
  new Worker(new URL('./clock.mjs', import.meta.url), { execArgv: ['--import=data:text/javascript,'] });
  ${clock}
`;

void t.test('the preload of the chaos suite steps the clock of each thread of a process', async (t) => {
  const directory = t.testdir({ 'main.mjs': main, 'clock.mjs': clock });
  const file = join(directory, 'ahead');
  writeFileSync(file, '0');
  const preload = new URL('../chaos/clock.js', import.meta.url);
  preload.searchParams.set('file', file);
  const child = spawn(process.execPath, [join(directory, 'main.mjs')], {
    env: { NODE_OPTIONS: `--import=${preload.href}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  /** Resolves when both threads printed a clock that is so far ahead. */
  const bothAhead = async (aheadMs: number): Promise<void> => {
    const threads = new Set<number>();
    while (threads.size < 2) {
      const { value } = await lines.next();
      const [thread, now, date, given] = JSON.parse(value as string) as [number, number, number, number];
      const isStepped = [now, date].every((time) => Math.abs(time - Date.now() - aheadMs) < hourMs / 2);
      if (isStepped && given === 7) threads.add(thread);
    }
  };
  for (const aheadMs of [0, hourMs, -hourMs]) {
    writeFileSync(file, String(aheadMs));
    await bothAhead(aheadMs);
    t.pass(`both threads are ${aheadMs} ms ahead`);
  }
});
