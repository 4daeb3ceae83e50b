import { availableParallelism } from 'node:os';
import { readDurations, writeDurations, type Durations } from './durations.ts';
import { FileQueue } from './file-queue.ts';
import type { RunOptions } from './options.ts';
import type { FileResult } from './protocol.ts';
import type { TapReport } from './tap-report.ts';
import { kindOf, type Kind } from './test-files.ts';
import { WorkerProcess } from './worker-process.ts';

/** Maximum number of files that failed and then passed by themselves in a run that passes. */
const maxFlaky = 2;

/** Runs test files in worker processes; returns whether they passed. */
export async function runFiles(
  files: readonly string[],
  options: RunOptions,
  environment: Record<string, string>,
  report: TapReport,
): Promise<boolean> {
  const durations: Durations = {};
  const failed: FileResult[] = [];
  const queue = new FileQueue(files, readDurations(), options.seed);
  const add = (result: FileResult): void => {
    durations[result.file] = Math.round(result.seconds * 10) / 10;
    if (result.passed || !options.repeatsFailed) report.add(result);
    if (!result.passed) failed.push(result);
  };
  // Two more than cores, because tests wait: with one more, a quarter of the CPU time was idle.
  const workers = Math.min(options.workers ?? availableParallelism() + 2, files.length);
  await Promise.all(Array.from({ length: workers }, () => work(queue, options, environment, add)));
  writeDurations(durations);
  if (!options.repeatsFailed) return failed.length === 0;
  return repeat(failed, options, environment, report);
}

/** Runs files in one process after the other until none is left. */
async function work(
  queue: FileQueue,
  { timeoutSeconds }: RunOptions,
  environment: Record<string, string>,
  add: (result: FileResult) => void,
): Promise<void> {
  let worker: WorkerProcess | null = null;
  let kind: Kind | null = null;
  for (let file = queue.take(kind); file !== null; file = queue.take(kind)) {
    kind = kindOf(file);
    worker ??= new WorkerProcess(environment);
    const result = await worker.run(file, timeoutSeconds);
    add(result);
    if (!result.isSpent) continue;
    worker.kill();
    worker = null;
  }
  await worker?.end();
}

/** Runs each failed file once more, by itself. A few that pass now are listed as flaky and fail no run. */
async function repeat(
  failed: readonly FileResult[],
  { timeoutSeconds }: RunOptions,
  environment: Record<string, string>,
  report: TapReport,
): Promise<boolean> {
  const flaky: string[] = [];
  let passed = true;
  for (const first of failed) {
    const worker = new WorkerProcess(environment);
    const second = await worker.run(first.file, timeoutSeconds);
    await worker.end();
    report.comment(`failed at first: ${first.file}\n${first.tap.trimEnd()}`);
    report.add(second);
    if (second.passed) flaky.push(first.file);
    else passed = false;
  }
  if (flaky.length > 0) {
    report.comment(`flaky, to be fixed before other work:\n${flaky.map((file) => `  ${file}`).join('\n')}`);
  }
  return passed && flaky.length <= maxFlaky;
}
