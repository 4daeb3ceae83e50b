import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { Test } from 'tap';
import { type AppDeps, buildApp } from '#api/app.ts';
import type { App } from '#api/plugins/app-instance.ts';
import { undeclaredError } from '#api/plugins/errors.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import type { Bus } from '#shared/bus/contract.ts';
import { openBus } from '#shared/bus/open.ts';
import type { TestStores } from '#shared/testing/stores.ts';
import { openTestDeps } from './deps.ts';

/** Application that several tests use, one after the other. */
export interface KeptApi {
  app: App;
  deps: ApiDeps;
  /** Member of the bus that the application uses. */
  bus: Bus;
  /** Name by which other members meet it. */
  localName: string;
  /** Lines that it logged for the current test. */
  lines: string[];
  /** Begins a test, which fails when the application answers an error that its schema does not declare. */
  begin(t: Test): void;
  /** Returns true after a test closed it. */
  isSpent: () => boolean;
  closeDeps: () => Promise<void>;
}

export async function openApi(stores: TestStores, changed: Partial<AppDeps> = {}): Promise<KeptApi> {
  const localName = randomUUID();
  const hub = await openBus({ localName, hub: true });
  let running: Test | null = null;
  let tests = 0;
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const line = chunk.toString();
      lines.push(line);
      if (line.includes(undeclaredError)) {
        running?.fail(`add the code to cpmsErrors(…) or problems(…) of the route: ${line}`);
      }
      done();
    },
  });
  // Requests of earlier tests do not count.
  const bus = countingApart(hub, () => tests);
  const { deps, close: closeDeps } = await openTestDeps(stores, bus, changed.clock);
  const app = await buildApp({ ...deps, log: pino({ level: 'trace' }, sink), ...changed });
  let isSpent = false;
  const spend = (): void => void (isSpent = true);
  onCall(app, 'close', spend);
  return {
    app,
    deps,
    bus,
    localName,
    lines,
    begin(t) {
      running = t;
      tests += 1;
      lines.length = 0;
    },
    isSpent: () => isSpent,
    closeDeps,
  };
}

/** Calls `note` before a method of an object runs. */
function onCall<Name extends string>(
  object: Record<Name, (...args: never[]) => unknown>,
  name: Name,
  note: () => void,
): void {
  const method = object[name].bind(object) as (...args: unknown[]) => unknown;
  object[name] = (...args: unknown[]) => {
    note();
    return method(...args);
  };
}

/** Returns a member of the bus whose counters are apart for each test. */
function countingApart(bus: Bus, test: () => number): Bus {
  return new Proxy(bus, {
    get(target, name) {
      if (name === 'count')
        return (key: string, windowMs: number) => target.count(`${test()}:${key}`, windowMs);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/**
 * Ends what a test began; returns false for an application that listens or is spent. Caches need no reset: no two tests use the same
 * identifiers.
 */
export async function resetApi({ app, bus, deps, isSpent }: KeptApi): Promise<boolean> {
  const answers = await bus.ping().then(
    () => true,
    () => false,
  );
  if (isSpent() || app.server.listening || !answers) return false;
  await deps.eventHub.close();
  return true;
}

export async function closeApi({ app, bus, closeDeps }: KeptApi): Promise<void> {
  await app.close();
  await closeDeps();
  await bus.close();
}
