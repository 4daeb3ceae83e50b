import type { Counts, FileResult } from './protocol.ts';

/**
 * Writes the results of a run as one TAP stream with a subtest for each file. The tests of a file are listed when it failed, or when
 * `listsAll` is set.
 */
export class TapReport {
  readonly #listsAll: boolean;
  readonly #counts: Counts = { pass: 0, fail: 0, skip: 0, todo: 0 };
  #files = 0;

  constructor(listsAll: boolean) {
    this.#listsAll = listsAll;
    this.#print('TAP version 14');
  }

  comment(text: string): void {
    for (const line of text.split('\n')) this.#print(`# ${line}`);
  }

  add({ file, passed, counts, seconds, tap }: FileResult): void {
    this.#files += 1;
    for (const name of ['pass', 'fail', 'skip', 'todo'] as const) this.#counts[name] += counts[name];
    if (!passed || this.#listsAll) this.#print(`# Subtest: ${file}\n${indent(tap)}`);
    const total = counts.pass + counts.fail + counts.skip + counts.todo;
    this.#print(
      `${passed ? 'ok' : 'not ok'} ${this.#files} - ${file} # time=${Math.round(seconds * 1000)}ms, ${total} assertions`,
    );
  }

  /** Ends the stream with the plan and the counts. */
  end(): void {
    const { pass, fail, skip, todo } = this.#counts;
    this.#print(`1..${this.#files}`);
    this.comment(
      `{ total: ${pass + fail + skip + todo}, pass: ${pass}, fail: ${fail}, skip: ${skip}, todo: ${todo} }`,
    );
  }

  #print(text: string): void {
    process.stdout.write(`${text}\n`);
  }
}

function indent(tap: string): string {
  return tap
    .replace(/^TAP version 14\n/, '')
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
    .join('\n');
}
