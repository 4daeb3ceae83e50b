import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { endProcess, identify, isRunning, type EndStep, type ProcessIdentity } from './process-table.ts';

/** The right to run one server on a data directory. */
export interface DirectoryLock {
  /** Notes the server process, so that the successor of a killed owner finds and ends it. */
  recordServer(pid: number): void;
  release(): void;
}

interface Holder {
  owner: ProcessIdentity;
  server?: ProcessIdentity;
}

/**
 * Takes the lock of a data directory: the file `<dataDir>.lock` that names the owner and its server.
 * When the owner was killed, the server it left behind is ended first (`endSteps`).
 * @throws Error when a live process, this one included, already runs a server there.
 */
export async function lockDirectory(dataDir: string, endSteps: readonly EndStep[]): Promise<DirectoryLock> {
  const file = `${dataDir}.lock`;
  mkdirSync(dirname(file), { recursive: true });
  const owner = identify(process.pid);
  if (!owner) throw new Error('the start time of this process cannot be read');

  while (!tryCreate(file, { owner })) {
    const text = readText(file);
    const holder = parse(text);
    if (holder && isRunning(holder.owner)) {
      throw new Error(`${dataDir} is in use: process ${holder.owner.pid} runs a server on it`);
    }
    if (holder?.server) await endProcess(holder.server, endSteps);
    removeStale(file, text);
  }
  return {
    recordServer: (pid) => replace(file, { owner, server: identify(pid) }),
    release: () => rmSync(file, { force: true }),
  };
}

/** A lock file appears complete or not at all: a link fails when the name is taken. */
function tryCreate(file: string, holder: Holder): boolean {
  const own = writeBeside(file, holder);
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own);
  }
}

function replace(file: string, holder: Holder): void {
  renameSync(writeBeside(file, holder), file);
}

function writeBeside(file: string, holder: Holder): string {
  const own = `${file}.${randomUUID()}`;
  writeFileSync(own, JSON.stringify(holder), { mode: 0o600 });
  return own;
}

/** Removes the lock that was judged stale, and only that one: another process may have been faster. */
function removeStale(file: string, staleText: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    if (readText(aside) !== staleText) linkSync(aside, file);
  } finally {
    rmSync(aside);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** A lock file that power loss left empty or truncated names no process, so it is stale. */
function parse(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return undefined;
  }
}
