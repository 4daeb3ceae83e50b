import { bodies } from '../../../api/client.ts';
import { type Exchange, ExchangeLog, type Message } from './exchange-log.ts';
import type { LogFilter } from './log-search.ts';

/** Content of the log. */
export interface LogView {
  exchanges: readonly Exchange[];
  /** Older messages exist, or may exist. */
  hasOlder: boolean;
  isLoading: boolean;
  error: unknown;
}

const pageSize = 200;
/** The store has a message about two seconds after the stream. */
const storeDelayMs = 2500;
/** The list is joined with the log from this long before its newest message. */
const overlapMs = 60_000;
const joinPageSize = 1000;
const maxJoinPages = 5;
/** Interval in ms at which new messages are shown. */
const flushMs = 200;
/** Exchanges that are kept while the log follows the charger. */
const maxExchanges = 20_000;

/**
 * Log of a charger that is filled from both ends: by its stream at the newest, by pages at the oldest. After a loss of the
 * stream it lists what it may have missed. Frames carry the same identifiers in both, so none is shown twice.
 */
export class LogFeed {
  readonly #uuid: string;
  readonly #filter: LogFilter;
  readonly #log = new ExchangeLog();
  readonly #listeners = new Set<() => void>();
  #abort = new AbortController();
  #buffer: Message[] = [];
  #flushTimer: ReturnType<typeof setTimeout> | undefined;
  #joinTimer: ReturnType<typeof setTimeout> | undefined;
  /** Time in ms from which messages may be missing; null: none are. */
  #gapFrom: number | null = null;
  /** Cursor of the next older page, or null. Undefined before the first page. */
  #cursor: string | null | undefined;
  #isLoadingOlder = false;
  #view: LogView = { exchanges: [], hasOlder: true, isLoading: true, error: null };

  constructor(uuid: string, filter: LogFilter) {
    this.#uuid = uuid;
    this.#filter = filter;
  }

  /** Path of the stream of new messages; null for a range that is over. */
  get streamPath(): string | null {
    const { action, direction, errorsOnly, range } = this.#filter;
    if (range !== null) return null;
    const query = new URLSearchParams({
      ...(action !== null && { action }),
      ...(direction !== null && { callDirection: direction }),
      ...(errorsOnly && { errorsOnly: 'true' }),
    });
    return `/cpms/v1/chargers/${this.#uuid}/messages/live${query.size > 0 ? `?${query}` : ''}`;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): LogView => this.#view;

  /** Loads the first page; the result ends all work. */
  start(): () => void {
    this.#abort = new AbortController();
    void this.loadOlder();
    return () => {
      this.#abort.abort();
      clearTimeout(this.#flushTimer);
      clearTimeout(this.#joinTimer);
      this.#flushTimer = undefined;
      this.#joinTimer = undefined;
      this.#isLoadingOlder = false;
    };
  }

  /** Loads the next older page. */
  readonly loadOlder = async (): Promise<void> => {
    if (this.#isLoadingOlder || this.#cursor === null) return;
    this.#isLoadingOlder = true;
    const { signal } = this.#abort;
    this.#show({ isLoading: true, error: null });
    try {
      const page = await this.#list({
        pageSize,
        ...(this.#cursor !== undefined && { cursor: this.#cursor }),
      });
      this.#cursor = page.cursor;
      this.#log.add(page.messages);
      this.#isLoadingOlder = false;
      this.#show({ isLoading: false });
    } catch (error) {
      if (signal.aborted) return;
      this.#isLoadingOlder = false;
      this.#show({ isLoading: false, error });
    }
  };

  /** Takes a message of the stream. */
  take(message: Message): void {
    this.#buffer.push(message);
    this.#flushTimer ??= setTimeout(this.#flush, flushMs);
  }

  /** Notes that messages may be missing from now on: the stream was lost, or left some out. */
  lose(): void {
    this.#flush();
    this.#gapFrom ??= this.#log.newestAt ?? 0;
  }

  /** Lists what is missing, when the store has what was sent until now. */
  join(): void {
    this.#joinTimer ??= setTimeout(() => {
      this.#joinTimer = undefined;
      void this.#closeGap();
    }, storeDelayMs);
  }

  async #closeGap(): Promise<void> {
    const gapFrom = this.#gapFrom ?? this.#log.newestAt ?? 0;
    const { signal } = this.#abort;
    const found: Message[][] = [];
    const from = gapFrom === 0 ? {} : { from: new Date(gapFrom - overlapMs).toISOString() };
    let cursor: string | null | undefined;
    try {
      while (cursor !== null && found.length < maxJoinPages) {
        const page = await this.#list({
          pageSize: joinPageSize,
          ...from,
          cursor,
        });
        found.push(page.messages);
        cursor = page.cursor;
        if (gapFrom === 0) break;
      }
    } catch (error) {
      if (signal.aborted) return;
      // The stream shows whether the server is reachable; the gap stays open until the next attempt.
      if (this.#view.exchanges.length === 0) this.#show({ error });
      this.join();
      return;
    }
    // Too much is missing to be joined: what is older loads by pages from here.
    if (cursor !== null) {
      this.#log.forgetUntil(gapFrom);
      this.#cursor = cursor;
    }
    this.#gapFrom = null;
    for (const messages of found.toReversed()) this.#log.add(messages);
    this.#show({ error: null });
  }

  async #list(query: { pageSize: number; cursor?: string; from?: string }) {
    const { action, direction, errorsOnly, text, range } = this.#filter;
    const { signal } = this.#abort;
    const answer = await bodies.GET('/cpms/v1/chargers/{uuid}/messages', {
      signal,
      params: {
        path: { uuid: this.#uuid },
        query: {
          ...range,
          ...query,
          ...(action !== null && { action }),
          ...(direction !== null && { callDirection: direction }),
          ...(errorsOnly && { errorsOnly }),
          ...(text !== '' && { search: text }),
        },
      },
    });
    signal.throwIfAborted();
    return { messages: answer.data.toReversed(), cursor: answer.nextCursor };
  }

  readonly #flush = (): void => {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    const messages = withText(this.#buffer, this.#filter.text);
    this.#buffer = [];
    if (messages.length === 0 || !this.#log.add(messages)) return;
    const oldest = this.#log.trim(maxExchanges);
    if (oldest !== null) this.#cursor = oldest.id;
    this.#show({ isLoading: this.#isLoadingOlder });
  };

  #show(change: Partial<LogView>): void {
    const exchanges = [...this.#log.exchanges];
    this.#view = { ...this.#view, hasOlder: this.#cursor !== null, ...change, exchanges };
    for (const listener of this.#listeners) listener();
  }
}

/** Returns the frames of exchanges that contain a text. A call and its answer follow each other. */
function withText(messages: readonly Message[], text: string): Message[] {
  if (text === '') return [...messages];
  const wanted = text.toLowerCase();
  const groups = Map.groupBy(messages, ({ connectionId, messageId }) => `${connectionId} ${messageId}`);
  return [...groups.values()]
    .filter((group) => group.some(({ payload }) => payload.toLowerCase().includes(wanted)))
    .flat();
}
