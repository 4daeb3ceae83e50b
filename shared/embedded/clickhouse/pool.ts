import type { EngineSession } from './engine.ts';
import { identifier, literal } from './statement.ts';

/** Context of a statement, derived from its request only. */
export interface QueryContext {
  database: string;
  settings: ReadonlyMap<string, string>;
  /** Values of `{name:Type}` placeholders, escaped as the HTTP interface has them. */
  params: ReadonlyMap<string, string>;
  /** True when the statement can change its session (SET, USE), which must not affect the next request. */
  altersSession: boolean;
}

/** A session and what it is set to at the moment. */
interface Slot {
  session: EngineSession;
  database: string;
  settings: ReadonlyMap<string, string>;
  params: Map<string, string>;
  fresh: boolean;
}

/**
 * Several sessions of one engine, so that requests run side by side: a session runs one statement at a time.
 * Sessions keep the settings of the last request and change only what differs.
 */
export class SessionPool {
  readonly #open: () => EngineSession;
  readonly #idle: Slot[] = [];
  readonly #waiting: ((slot: Slot) => void)[] = [];

  constructor(open: () => EngineSession, size: number) {
    this.#open = open;
    for (let i = 0; i < size; i++) this.#idle.push(this.#openSlot());
  }

  /** Runs work on a session set up for the context; waits, first come first served, while all are busy. */
  async run<T>(context: QueryContext, work: (session: EngineSession) => Promise<T>): Promise<T> {
    const slot =
      this.#takeIdle(context) ?? (await new Promise<Slot>((resolve) => this.#waiting.push(resolve)));
    try {
      await this.#prepare(slot, context);
      return await work(slot.session);
    } finally {
      try {
        if (context.altersSession) this.#reopen(slot);
      } finally {
        this.#release(slot);
      }
    }
  }

  /** Cancels a statement that was started with this id. It does not wait for a session: all may be busy. */
  async kill(id: string): Promise<void> {
    const session = this.#open();
    try {
      await session.kill(id);
    } finally {
      session.close();
    }
  }

  /** Closes the sessions; nothing may be running. */
  close(): void {
    for (const slot of this.#idle.splice(0)) slot.session.close();
  }

  /** Takes the session that needs no change, or the one that was not used for longest: each change takes the engine a millisecond. */
  #takeIdle({ database, settings }: QueryContext): Slot | undefined {
    const ready = this.#idle.findLastIndex(
      (slot) => slot.database === database && settingChanges(slot.settings, settings).length === 0,
    );
    return ready === -1 ? this.#idle.shift() : this.#idle.splice(ready, 1)[0];
  }

  #release(slot: Slot): void {
    const next = this.#waiting.shift();
    if (next) next(slot);
    else this.#idle.push(slot);
  }

  /**
   * Sets up the session for a request. After a failure the state of the session is unknown, so it is opened again. If
   * it was not new, a setting of an earlier request (such as readonly=1) may have been the cause, so the setup is
   * repeated once on the new one.
   */
  async #prepare(slot: Slot, context: QueryContext): Promise<void> {
    // A parameter cannot be unset, and one that is left over would hide that this request lacks it.
    if ([...slot.params.keys()].some((name) => !context.params.has(name))) this.#reopen(slot);
    const wasFresh = slot.fresh;
    try {
      await setUp(slot, context);
    } catch (error) {
      this.#reopen(slot);
      if (wasFresh) throw error;
      try {
        await setUp(slot, context);
      } catch (again) {
        this.#reopen(slot);
        throw again;
      }
    }
  }

  #reopen(slot: Slot): void {
    const old = slot.session;
    Object.assign(slot, this.#openSlot());
    old.close();
  }

  #openSlot(): Slot {
    return {
      session: this.#open(),
      database: 'default',
      settings: new Map(),
      params: new Map(),
      fresh: true,
    };
  }
}

async function setUp(slot: Slot, { database, settings, params }: QueryContext): Promise<void> {
  const changes = [
    ...settingChanges(slot.settings, settings),
    ...[...params]
      .filter(([name, value]) => slot.params.get(name) !== value)
      .map(([name, value]) => `param_${name} = ${literal(value)}`),
  ];
  if (database !== slot.database) await slot.session.query(`USE ${identifier(database)}`, 'Null');
  // One statement: each takes the engine a millisecond.
  if (changes.length > 0) await slot.session.query(`SET ${changes.join(', ')}`, 'Null');
  Object.assign(slot, { database, settings, params: new Map(params), fresh: false });
}

function settingChanges(current: ReadonlyMap<string, string>, wanted: ReadonlyMap<string, string>): string[] {
  const reset = [...current.keys()].filter((name) => !wanted.has(name)).map((name) => `${name} = DEFAULT`);
  const set = [...wanted]
    .filter(([name, value]) => current.get(name) !== value)
    .map(([name, value]) => `${name} = ${literal(value)}`);
  return [...reset, ...set];
}
