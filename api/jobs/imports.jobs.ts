import { importKinds } from '#api/routes/cpms/imports/kinds/index.ts';
import { runImport } from '#api/services/imports/import-runner.ts';
import { areImportsDue, expireImports, listImportWork } from '#shared/postgres/imports/import-work.ts';
import type { Job, JobDeps } from './job.ts';
import { Lanes } from './lanes.ts';

/** Imports at work at once in a process. Each holds a connection of the background's pool, which has four. */
const maxLanes = 2;

/** Processes the rows of imports, in the background of any number of processes. */
export class ImportWorker {
  readonly #deps: JobDeps;
  readonly #lanes: Lanes<number>;
  #isStopping = false;

  constructor(deps: JobDeps) {
    this.#deps = deps;
    this.#lanes = new Lanes(
      (id) => runImport(deps, importKinds, id, () => this.#isStopping),
      (err, importId) => deps.log.warn({ err, importId }, 'an import paused; it continues'),
    );
  }

  /** Starts the work on imports in progress. */
  async look(): Promise<void> {
    for (const { id } of await listImportWork(this.#deps.sql, maxLanes)) this.#lanes.start(id);
  }

  /** Begins no further row; resolves when the rows in progress have their outcome. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#lanes.stop();
  }
}

/** Jobs of imports. Any number of processes run each of them. */
export function importJobs(deps: JobDeps): Job[] {
  const worker = new ImportWorker(deps);
  return [
    {
      name: 'imports',
      every: 1000,
      due: areImportsDue,
      run: () => worker.look(),
      stop: () => worker.stop(),
    },
    {
      name: 'import-expiry',
      every: 3_600_000,
      oncePer: 'installation',
      run: () => expireImports(deps.sql),
      done: 'rows of past imports were removed',
    },
  ];
}
