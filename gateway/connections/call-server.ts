import { CallFault } from '#gateway/frame/errors.ts';
import { encodeError, encodeResult } from '#gateway/frame/encode.ts';
import type { BrokenFrame, CallFrame } from '#gateway/frame/frame.ts';
import type { Stores } from '#gateway/handlers/context.ts';
import type { FrameServer } from '#gateway/socket/connection.ts';
import { SpoolFull } from '#gateway/ingest/spool-space.ts';
import { DeadlinePassed, within } from '#shared/domain/kernel/deadline.ts';
import type { Logger } from '#shared/log/log.ts';
import type { OutageLog } from '#shared/log/outage-log.ts';
import { isKnownAction } from '#shared/ocpp/actions.ts';
import { type RpcErrorKind, rpcErrorCode } from '#shared/ocpp/errors.ts';
import { ReadingClock } from '#gateway/handlers/reading-clock.ts';
import { isPostgresDown } from '#shared/postgres/kernel/client.ts';
import { findSessionByTransaction, type RunningSession } from '#shared/postgres/charging/running-sessions.ts';
import { continuedTransaction, mayServe } from '#gateway/protocol/held-chargers.ts';
import type { AuthenticatedCharger } from './handshake-authentication.ts';
import type { ChargerLookup } from './charger-lookup.ts';

/** Observer of served CALLs, for metrics; `action` is null when no version knows it. */
export type CallObserver = (call: {
  version: string;
  action: string | null;
  outcome: 'result' | RpcErrorKind;
  seconds: number;
}) => void;

/** Deadline of our answers in ms; chargers give up after about a minute. */
const callDeadlineMs = 30_000;

/** Message id of the answer to a message whose id is unreadable (2.0.1 part 4 §4.2.3). */
const unknownMessageId = '-1';

/** Serves the CALLs of one charger: table → handler → answer. A failure costs this charger one CALLERROR. */
export class CallServer implements FrameServer {
  readonly #identity: AuthenticatedCharger;
  readonly #stores: Stores;
  readonly #lookup: ChargerLookup;
  readonly #log: Logger;
  readonly #outages: OutageLog;
  readonly #observe: CallObserver;
  readonly #deadlineMs: number;
  /** Running sessions of the charger, read before its first call is served. */
  #running: RunningSession[] | null = null;
  readonly #readingClock = new ReadingClock();

  constructor(
    identity: AuthenticatedCharger,
    shard: {
      stores: Stores;
      lookup: ChargerLookup;
      log: Logger;
      /** Logs calls that failed because a store is unavailable; shared by all chargers. */
      callOutages: OutageLog;
      observe: CallObserver;
    },
    deadlineMs = callDeadlineMs,
  ) {
    this.#identity = identity;
    this.#stores = shard.stores;
    this.#lookup = shard.lookup;
    this.#log = shard.log;
    this.#outages = shard.callOutages;
    this.#observe = shard.observe;
    this.#deadlineMs = deadlineMs;
  }

  async serveCall(call: CallFrame): Promise<string> {
    const startedAt = performance.now();
    const { version } = this.#identity.protocol;
    let outcome: 'result' | RpcErrorKind = 'result';
    let answer: string;
    try {
      const result = await within(this.#serve(call), this.#deadlineMs, call.action);
      answer = encodeResult(call.id, result);
    } catch (error) {
      const fault = error instanceof CallFault ? this.#refused(call, error) : this.#internal(call, error);
      outcome = fault.kind;
      answer = encodeError(call.id, rpcErrorCode(version, fault.kind), fault.message);
    }
    const action = isKnownAction(version, call.action) ? call.action : null;
    this.#observe({ version, action, outcome, seconds: (performance.now() - startedAt) / 1000 });
    return answer;
  }

  refuseBroken(frame: BrokenFrame): string {
    const { protocol, charger } = this.#identity;
    const [kind, description] = brokenFaults[frame.fault];
    // 1.6 has no code for a malformed message: FormationViolation is the closest (1.6J §4.2.3).
    const code = rpcErrorCode(protocol.version, protocol.version === '1.6' ? 'formation' : kind);
    this.#log.info({ uid: charger.uid, fault: frame.fault }, 'broken message');
    this.#observe({ version: protocol.version, action: null, outcome: kind, seconds: 0 });
    return encodeError(frame.id ?? unknownMessageId, code, description);
  }

  async #serve(call: CallFrame): Promise<unknown> {
    const { protocol, charger } = this.#identity;
    const serve = protocol.actions.get(call.action);
    if (serve === undefined) {
      const kind = isKnownAction(protocol.version, call.action) ? 'not-supported' : 'not-implemented';
      throw new CallFault(kind, `${call.action.slice(0, 50)} is not served here`);
    }
    const receivedAt = new Date();
    this.#running ??= await this.#lookup.running(charger.id);
    if (!(await this.#isServed(call, this.#running.length > 0))) {
      throw new CallFault('security', `the registration of this charger is ${charger.registration}`);
    }
    const context = {
      charger,
      ocppVersion: protocol.version,
      receivedAt,
      running: this.#running,
      readingClock: this.#readingClock,
      meterOverrides: await this.#stores.meterOverrides.of(charger.id),
      stores: this.#stores,
    };
    return serve(context, call.payload);
  }

  /**
   * Returns true when a call is served. A held charger may also repeat the stop of an ended session, whose answer may
   * have been lost.
   */
  async #isServed(call: CallFrame, runsSession: boolean): Promise<boolean> {
    const { charger } = this.#identity;
    if (mayServe(charger.registration, call, runsSession)) return true;
    const transactionId = runsSession ? null : continuedTransaction(call);
    if (transactionId === null) return false;
    return (await findSessionByTransaction(this.#stores.sql, charger.id, transactionId)) !== null;
  }

  #refused(call: CallFrame, fault: CallFault): CallFault {
    const { uid } = this.#identity.charger;
    this.#log.info({ uid, action: call.action, fault: fault.message }, 'call refused');
    return fault;
  }

  /**
   * Returns the fault of an internal error, such as an unavailable store: the charger keeps the message and repeats
   * it.
   */
  #internal(call: CallFrame, error: unknown): CallFault {
    const about = { uid: this.#identity.charger.uid, action: call.action };
    const isOutage = isPostgresDown(error) || error instanceof DeadlinePassed || error instanceof SpoolFull;
    if (isOutage) this.#outages.failed(error, about);
    else this.#log.error({ err: error, ...about }, 'a call failed');
    return new CallFault('internal', 'it could not be stored; try again later');
  }
}

const brokenFaults: Record<BrokenFrame['fault'], [RpcErrorKind, string]> = {
  'not-json': ['rpc-framework', 'the message is not JSON'],
  'not-a-frame': ['rpc-framework', 'the message is not an OCPP-J array'],
  'too-deep': ['formation', 'the message is nested too deep'],
  'unknown-message-type': ['message-type-not-supported', 'the message type is none of 2, 3 and 4'],
};
