import { type Connector, Connectors, isOpenTo } from './connectors.ts';
import { createFleetCounters, type FleetCounters } from './counters.ts';
import { Delivery } from './delivery.ts';
import type { Dialect, SessionEnd } from './dialect.ts';
import type { Payload } from './payload.ts';
import { Presence } from './presence.ts';
import { StationControls } from './controls.ts';
import { type Call, CallError, type RpcConnection } from './rpc.ts';
import type { SigningMeter } from './signing-meter.ts';
import {
  ConnectorState,
  NotAuthorized,
  type PastSession,
  type Reading,
  type Session,
  type StartRequest,
  type Station,
  type StationOptions,
  type StopRequest,
} from './station.ts';

/** A charging station that behaves as the standard wants; how its messages are written is the dialect's. */
export class SimulatedStation implements Station {
  readonly uid: string;
  readonly protocol: 'ocpp1.6' | 'ocpp2.0.1' | 'ocpp2.1';
  readonly connectors: number;
  onRemoteStart: ((session: Session) => void) | undefined;
  readonly #dialect: Dialect;
  readonly #counters: FleetCounters;
  readonly #presence: Presence;
  readonly #delivery: Delivery;
  readonly #slots: Connectors;
  readonly #controls: StationControls;
  readonly #meter: SigningMeter | undefined;

  constructor(options: StationOptions, dialect: Dialect) {
    this.uid = options.uid;
    this.protocol = dialect.protocol;
    this.connectors = options.connectors;
    this.#dialect = dialect;
    this.#meter = options.meter;
    this.#counters = options.counters ?? createFleetCounters();
    const slots = new Connectors(
      options.uid,
      options.connectors,
      options.registerWh ?? 0,
      dialect,
      () => this.#presence,
    );
    this.#slots = slots;
    this.#presence = new Presence(options, dialect, this.#counters, {
      onCall: (call) => dialect.command(this.#controls, call),
      announce: () => slots.announce(),
    });
    this.#delivery = new Delivery({
      ready: () => this.#presence.ready(),
      send: (call) => this.#presence.call(call),
      attempts: 3,
      retryMs: options.retryMs ?? 10_000,
    });
    this.#controls = new StationControls({
      options,
      dialect,
      counters: this.#counters,
      presence: this.#presence,
      slots,
      deliver: (encode) => this.#delivery.deliver(encode),
      start: (connector, idToken, remoteStartId) => this.#startRemotely(connector, idToken, remoteStartId),
      stop: (request) => this.stopSession(request),
    });
  }

  get rpc(): RpcConnection | undefined {
    return this.#presence.rpc;
  }

  connect(attempts = 1): Promise<void> {
    return this.#presence.connect(attempts);
  }

  boot(): Promise<void> {
    return this.#presence.boot();
  }

  ready(): Promise<void> {
    return this.#presence.ready();
  }

  delivered(): Promise<void> {
    return this.#delivery.settled();
  }

  close(): Promise<void> {
    return this.#presence.close();
  }

  session(connector: number): Session | undefined {
    return this.#slots.get(connector).session;
  }

  registerWh(connector: number): number {
    return this.#slots.get(connector).registerWh;
  }

  async plugIn(connector = 1): Promise<void> {
    const slot = this.#slots.get(connector);
    this.#demandFree(slot);
    await this.#slots.setPhase(slot, 'preparing');
  }

  async startSession(request: StartRequest): Promise<Session> {
    const session = this.#occupy(request, false, undefined);
    const slot = this.#slots.get(session.connector);
    await this.#slots.setPhase(slot, 'preparing');
    const status = await this.#authorize(session.idToken);
    if (status !== 'Accepted') await this.#refuse(slot, status);
    await this.#begin(slot, session);
    return session;
  }

  async sendMeterValues(connector: number, ...readings: Reading[]): Promise<void> {
    const slot = this.#slots.get(connector);
    const session = this.#slots.running(slot);
    if (readings.length === 0) return;
    this.#counters.meterValues++;
    const sequence = this.noteReadings(session, readings);
    const offline = !this.#presence.online;
    const answer = await this.#delivery.deliver(() =>
      this.#dialect.meterValues(session, readings, sequence, offline),
    );
    this.#dialect.metered?.(session, answer);
    this.#counters.acknowledged++;
  }

  async suspend(connector: number, suspended: boolean): Promise<void> {
    const slot = this.#slots.get(connector);
    const session = this.#slots.running(slot);
    await this.#slots.setPhase(slot, suspended ? 'suspendedEv' : 'charging');
    await this.#tellChargingState(session, suspended);
  }

  async stopSession(request: StopRequest = {}): Promise<void> {
    const slot = this.#slots.get(request.connector ?? 1);
    const session = this.#slots.running(slot);
    const reason = request.reason ?? 'local';
    const end = this.#signed({
      reason,
      meterStopWh: request.meterStopWh ?? slot.registerWh,
      at: request.at ?? new Date(),
    });
    slot.registerWh = end.meterStopWh;
    slot.session = undefined;
    session.ended = true;
    const stopped = this.#deliver(session, (sequence, offline) =>
      this.#dialect.stop(session, end, sequence, offline),
    );
    // The end goes before the status, which by itself would look like a session without an end.
    slot.phase = slot.operative ? (reason === 'evDisconnected' ? 'available' : 'finishing') : 'unavailable';
    try {
      await stopped;
    } finally {
      await this.#slots.report(slot);
    }
    this.#counters.sessionsStopped++;
    this.#controls.onSessionStopped();
  }

  async unplug(connector = 1): Promise<void> {
    const slot = this.#slots.get(connector);
    if (slot.session !== undefined) throw new ConnectorState(`a session runs on connector ${connector}`);
    await this.#slots.release(slot);
  }

  async replaySessions(connector: number, past: readonly PastSession[]): Promise<void> {
    for (const session of past) await this.#replay(connector, session);
    await this.#slots.tell(this.#slots.get(connector));
  }

  encodeMeterValues(session: Session, readings: readonly Reading[], sequence: number): Call {
    return this.#dialect.meterValues(session, readings, sequence, false);
  }

  noteReadings(session: Session, readings: readonly Reading[]): number {
    const last = readings.at(-1);
    if (last !== undefined) {
      const slot = this.#slots.get(session.connector);
      slot.lastReading = last;
      slot.registerWh = last.energyWh;
    }
    return session.nextSequence++;
  }

  async #replay(connector: number, { readings, end, ...start }: PastSession): Promise<void> {
    const session = this.#occupy({ ...start, connector }, false, undefined);
    const slot = this.#slots.get(connector);
    const signedEnd = this.#signed(end);
    const send = (encode: (sequence: number) => Call) => {
      const sequence = session.nextSequence++;
      return this.#delivery.deliver(() => encode(sequence));
    };
    try {
      this.#dialect.started(session, await send((sequence) => this.#dialect.start(session, sequence, true)));
      this.#counters.sessionsStarted++;
      await send((sequence) => this.#dialect.meterValues(session, readings, sequence, true));
      this.#counters.acknowledged++;
      await send((sequence) => this.#dialect.stop(session, signedEnd, sequence, true));
      this.#counters.sessionsStopped++;
      slot.registerWh = end.meterStopWh;
    } finally {
      slot.session = undefined;
    }
  }

  async #startRemotely(connector: number, idToken: string, remoteStartId: number | undefined): Promise<void> {
    const session = this.#occupy({ connector, idToken }, true, remoteStartId);
    const slot = this.#slots.get(connector);
    await this.#slots.setPhase(slot, 'preparing');
    await this.#begin(slot, session);
    if (!session.ended) this.onRemoteStart?.(session);
  }

  #demandFree(slot: Connector, idToken?: string): void {
    if (slot.session !== undefined) throw new ConnectorState(`a session runs on connector ${slot.id}`);
    if (!slot.operative) throw new ConnectorState(`connector ${slot.id} is out of service`);
    if (!isOpenTo(slot, idToken)) throw new ConnectorState(`connector ${slot.id} is reserved`);
  }

  /** Signs the end once: a message that is sent again has the same record. */
  #signed(end: SessionEnd): SessionEnd {
    const signed = this.#meter?.record({ code: 'E', wh: end.meterStopWh, time: end.at });
    return { ...end, signed };
  }

  #occupy(request: StartRequest, remote: boolean, remoteStartId: number | undefined): Session {
    const slot = this.#slots.get(request.connector ?? 1);
    this.#demandFree(slot, request.idToken);
    const startedAt = request.at ?? new Date();
    const meterStartWh = request.meterStartWh ?? slot.registerWh;
    const session: Session = {
      connector: slot.id,
      idToken: request.idToken,
      startedAt,
      meterStartWh,
      signedStart: this.#meter?.record({ code: 'B', wh: meterStartWh, time: startedAt }),
      remote,
      remoteStartId,
      reservationId: slot.reservation?.id,
      transactionId: this.#dialect.newTransactionId(),
      nextSequence: 0,
      ended: false,
    };
    slot.session = session;
    slot.reservation = undefined;
    slot.registerWh = session.meterStartWh;
    slot.lastReading = undefined;
    return session;
  }

  async #begin(slot: Connector, session: Session): Promise<void> {
    try {
      const answer = await this.#deliver(session, (sequence, offline) =>
        this.#dialect.start(session, sequence, offline),
      );
      this.#dialect.started(session, answer);
      this.#counters.sessionsStarted++;
      const status = this.#dialect.tokenStatus(answer);
      if (session.ended) return;
      if (status !== 'Accepted') {
        await this.stopSession({ connector: slot.id, reason: 'deAuthorized' });
        await this.#refuse(slot, status);
      }
    } catch (error) {
      if (slot.session === session) slot.session = undefined;
      throw error;
    }
    await this.#slots.setPhase(slot, 'charging');
    await this.#tellChargingState(session, false);
  }

  async #refuse(slot: Connector, status: string): Promise<never> {
    slot.session = undefined;
    this.#counters.refused++;
    await this.#slots.release(slot);
    throw new NotAuthorized(status);
  }

  /** The token's status; without an answer the station decides, and lets the driver charge. */
  async #authorize(idToken: string): Promise<string> {
    if (!this.#presence.online) return 'Accepted';
    try {
      return this.#dialect.tokenStatus(await this.#presence.call(this.#dialect.authorize(idToken)));
    } catch (error) {
      return error instanceof CallError ? 'Invalid' : 'Accepted';
    }
  }

  async #tellChargingState(session: Session, suspended: boolean): Promise<void> {
    const { chargingState } = this.#dialect;
    if (chargingState === undefined || session.ended) return;
    const at = new Date();
    await this.#deliver(session, (sequence, offline) =>
      chargingState(session, suspended, at, sequence, offline),
    );
  }

  /** Number and offline flag belong to the moment of the event, however often and late it is sent. */
  #deliver(session: Session, encode: (sequence: number, offline: boolean) => Call): Promise<Payload> {
    const sequence = session.nextSequence++;
    const offline = !this.#presence.online;
    return this.#delivery.deliver(() => encode(sequence, offline));
  }
}
