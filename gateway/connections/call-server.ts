import { CallFault, type CallOutcome } from '#gateway/frame/errors.ts';
import { encodeError, encodeResult, encodeResultError } from '#gateway/frame/encode.ts';
import type { BrokenFrame, CallFrame, ErrorFrame } from '#gateway/frame/frame.ts';
import type { ShardContext, Stores } from '#gateway/handlers/context.ts';
import type { FrameServer, Reply } from '#gateway/socket/connection.ts';
import { featuresOf, type OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { MeterOverride } from '#shared/domain/fleet/meter-override.ts';
import type { ServeAction, Served } from '#gateway/protocol/protocol.ts';
import { DiskFull } from '#gateway/wal/disk-space.ts';
import { DiskTooSlow } from '#gateway/wal/write-ahead-log.ts';
import { DeadlinePassed, within } from '#shared/domain/kernel/deadline.ts';
import type { Logger } from '#shared/log/log.ts';
import type { OutageLog } from '#shared/log/outage-log.ts';
import { isKnownAction } from '#shared/ocpp/actions.ts';
import { type RpcErrorKind, rpcErrorCode } from '#shared/ocpp/errors.ts';
import { InvalidPayload } from '#shared/ocpp/validators.ts';
import type { Clock } from '#shared/domain/kernel/system-clock.ts';
import type { LocalTime } from '#shared/domain/fleet/local-time.ts';
import { ReadingClock } from '#gateway/handlers/reading-clock.ts';
import { Turns } from '#gateway/handlers/turns.ts';
import { isPostgresDown } from '#shared/postgres/kernel/client.ts';
import {
  findSessionByTransaction,
  type RunningSession,
} from '#shared/postgres/charging/running-sessions.statements.ts';
import { continuedTransaction, mayServe } from '#gateway/protocol/held-chargers.ts';
import type { AuthenticatedCharger } from './handshake-authentication.ts';
import type { CallTraces } from './call-traces.ts';
import type { ChargerLookup } from './charger-lookup.ts';

/** Observer of served CALLs, for metrics; `action` is null when no version knows it. */
export type CallObserver = (
  version: OcppVersion,
  action: string | null,
  outcome: CallOutcome,
  seconds: number,
) => void;

/** Charger of a connection, and its OCPP version. */
interface ServedCharger extends Pick<AuthenticatedCharger, 'charger' | 'protocol'> {
  localTime: LocalTime;
}

/** Parts of a shard that the servers of all its chargers share. */
interface CallShard {
  stores: Stores;
  lookup: ChargerLookup;
  log: Logger;
  clock: Clock;
  /** Logs calls that failed because a store is unavailable. */
  callOutages: OutageLog;
  observe: CallObserver;
  /** Null while tracing is off. */
  traces: CallTraces | null;
}

/** Deadline of our answers in ms; chargers give up after about a minute. */
export const callDeadlineMs = 30_000;

/** Message id of the answer to a message whose id is unreadable (2.0.1 part 4 §4.2.3). */
const unknownMessageId = '-1';

/** Serves the CALLs of one charger: table → handler → answer. A failure costs this charger one CALLERROR. */
export class CallServer implements FrameServer {
  readonly #identity: ServedCharger;
  readonly #shard: CallShard;
  readonly #deadlineMs: number;
  /** Running sessions of the charger, read before its first call is served. */
  #running: RunningSession[] | null = null;
  readonly #readingClock = new ReadingClock();
  readonly #turns = new Turns();
  #isSlowed = false;

  constructor(identity: ServedCharger, shard: CallShard, deadlineMs = callDeadlineMs) {
    this.#identity = identity;
    this.#shard = shard;
    this.#deadlineMs = deadlineMs;
  }

  get hasSend(): boolean {
    return featuresOf(this.#identity.protocol.version).hasSend;
  }

  serveCall(call: CallFrame): Reply | Promise<Reply> {
    const { charger, protocol } = this.#identity;
    this.#shard.traces?.begin(charger.uid, protocol.version, call);
    try {
      const served = this.#serve(call);
      return served instanceof Promise ? this.#replyWithin(call, served) : replyTo(call, served);
    } catch (error) {
      return this.refuse(call, error);
    }
  }

  refuse(call: CallFrame, error: unknown): Reply {
    const { kind, message } =
      error instanceof CallFault ? this.#refused(call, error) : this.#internal(call, error);
    const code = rpcErrorCode(this.#identity.protocol.version, kind);
    return { text: encodeError(call.id, code, message), outcome: kind, commit: null };
  }

  answered(call: CallFrame, { outcome }: Reply, ms: number): void {
    const { action } = call;
    const { version } = this.#identity.protocol;
    this.#shard.traces?.end(call, outcome);
    this.#shard.observe(version, isKnownAction(version, action) ? action : null, outcome, ms / 1000);
  }

  slowed(): void {
    if (this.#isSlowed) return;
    this.#isSlowed = true;
    this.#shard.log.warn(
      { charger: this.#identity.charger.uid },
      'charger sends calls too fast; they are slowed down',
    );
  }

  refuseResult(id: string, error: unknown): { text: string; code: string } | null {
    if (!this.hasSend || !(error instanceof InvalidPayload)) return null;
    const { kind, message } = error.problem;
    const code = rpcErrorCode(this.#identity.protocol.version, kind);
    return { text: encodeResultError(id, code, message), code };
  }

  resultRefused({ code, description }: ErrorFrame): void {
    const { uid } = this.#identity.charger;
    this.#shard.log.warn(
      { charger: uid, code, description },
      'charger could not read the answer to its call',
    );
  }

  refuseBroken(frame: BrokenFrame): string | null {
    const { protocol, charger } = this.#identity;
    if (frame.fault === 'unanswerable') return null;
    const [kind, description] = brokenFaults[frame.fault];
    const code = rpcErrorCode(protocol.version, kind);
    this.#shard.log.debug({ charger: charger.uid, fault: frame.fault }, 'broken message');
    this.#shard.observe(protocol.version, null, kind, 0);
    return encodeError(frame.id ?? unknownMessageId, code, description);
  }

  async #replyWithin(call: CallFrame, served: Promise<Served>): Promise<Reply> {
    try {
      return replyTo(call, await within(served, this.#deadlineMs, call.action));
    } catch (error) {
      return this.refuse(call, error);
    }
  }

  /** Serves a call at once where nothing must be read before. */
  #serve(call: CallFrame): Served | Promise<Served> {
    const { protocol, charger } = this.#identity;
    const serve = (call.kind === 'call' ? protocol.actions : protocol.sends).get(call.action);
    if (serve === undefined) {
      const kind = isKnownAction(protocol.version, call.action) ? 'not-supported' : 'not-implemented';
      throw new CallFault(kind, `${call.action.slice(0, 50)} is not served here`);
    }
    const receivedAt = new Date(this.#shard.clock.now());
    const running = this.#running;
    const meterOverrides = this.#shard.stores.meterOverrides.known(charger.id);
    return running !== null &&
      meterOverrides !== undefined &&
      mayServe(charger.registration, call, running.length > 0)
      ? serve(this.#context(receivedAt, running, meterOverrides), call.payload)
      : this.#serveAfterReads(serve, call, receivedAt);
  }

  async #serveAfterReads(serve: ServeAction, call: CallFrame, receivedAt: Date): Promise<Served> {
    const { charger } = this.#identity;
    const running = this.#running ?? (await this.#readState());
    if (!mayServe(charger.registration, call, running.length > 0) && !(await this.#isRepeat(call))) {
      throw new CallFault('security', `the registration of this charger is ${charger.registration}`);
    }
    const meterOverrides = await this.#shard.stores.meterOverrides.read(charger.id);
    return serve(this.#context(receivedAt, running, meterOverrides), call.payload);
  }

  async #readState(): Promise<RunningSession[]> {
    const { charger, localTime } = this.#identity;
    const { running, localOffsetMinutes } = await this.#shard.lookup.state(charger.id);
    if (this.#running !== null) return this.#running;
    localTime.offsetMs = localOffsetMinutes * 60_000;
    this.#running = running;
    return running;
  }

  #context(
    receivedAt: Date,
    running: RunningSession[],
    meterOverrides: readonly MeterOverride[],
  ): ShardContext {
    return {
      charger: this.#identity.charger,
      ocppVersion: this.#identity.protocol.version,
      receivedAt,
      clock: this.#shard.clock,
      running,
      readingClock: this.#readingClock,
      turns: this.#turns,
      localTime: this.#identity.localTime,
      meterOverrides,
      stores: this.#shard.stores,
    };
  }

  /** Returns true for the repeated stop of an ended session, whose answer may have been lost: a held charger gets it again. */
  async #isRepeat(call: CallFrame): Promise<boolean> {
    const transactionId = (this.#running?.length ?? 0) > 0 ? null : continuedTransaction(call);
    if (transactionId === null) return false;
    const { charger } = this.#identity;
    return (await findSessionByTransaction(this.#shard.stores.sql, charger.id, transactionId)) !== null;
  }

  #refused(call: CallFrame, fault: CallFault): CallFault {
    const { uid } = this.#identity.charger;
    this.#shard.log.debug({ charger: uid, action: call.action, fault: fault.message }, 'call refused');
    return fault;
  }

  /**
   * Returns the fault of an internal error, such as an unavailable store: the charger keeps the message and repeats
   * it.
   */
  #internal(call: CallFrame, error: unknown): CallFault {
    const about = { charger: this.#identity.charger.uid, action: call.action };
    const isOutage =
      isPostgresDown(error) ||
      error instanceof DeadlinePassed ||
      error instanceof DiskFull ||
      error instanceof DiskTooSlow;
    if (isOutage) this.#shard.callOutages.failed(error, about);
    else this.#shard.log.error({ err: error, ...about }, 'a call failed');
    return new CallFault('internal', 'it could not be stored; try again later');
  }
}

function replyTo({ id }: CallFrame, { payload, commit }: Served): Reply {
  return { text: encodeResult(id, payload), outcome: 'result', commit };
}

/** Faults that are answered. */
const brokenFaults: Record<Exclude<BrokenFrame['fault'], 'unanswerable'>, [RpcErrorKind, string]> = {
  'not-json': ['rpc-framework', 'the message is not JSON'],
  'not-a-frame': ['rpc-framework', 'the message is not an OCPP-J array'],
  'too-deep': ['formation', 'the message is nested too deep'],
  'unknown-message-type': ['message-type-not-supported', 'the message type must be 2, 3 or 4'],
};
