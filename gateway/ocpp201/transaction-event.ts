import type { DeviceModelVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { handleTransactionEvent } from '#gateway/handlers/transaction-event.ts';
import { noFields } from '#gateway/frame/encode.ts';
import { serve } from '#gateway/protocol/serve.ts';
import type { ConnectorPosition, ConnectorStatus } from '#shared/domain/fleet/charger.ts';
import type { StatusNotice, TransactionNotice } from '#shared/domain/commands/charger-messages.ts';
import type { TimedMessage } from '#shared/domain/fleet/local-time.ts';
import { type ChargerTime, chargerTime, type Receipt } from '#shared/domain/kernel/clock.ts';
import type { MeterOverride } from '#shared/domain/fleet/meter-override.ts';
import type { MeterSample } from '#shared/domain/charging/meter-sample.ts';
import { type SessionStop, startMissing, stopFlags } from '#shared/domain/charging/session.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';
import { idTokenInfo } from './id-token-info.ts';
import { samplesOf, signedValuesOf } from './meter-value.ts';
import { positionOf } from './position.ts';
import { stationReportOf } from './station-report.ts';

type Request = RequestOf<DeviceModelVersion, 'TransactionEvent'>;

/** Connector status that a charging state (ChargingStateEnumType) implies; StatusNotification reports Idle. */
const connectorStates: Partial<Record<string, ConnectorStatus>> = {
  Charging: 'Charging',
  EVConnected: 'Preparing',
  SuspendedEV: 'SuspendedEV',
  SuspendedEVSE: 'SuspendedEVSE',
};

/** Context of a reading taken at the start of the transaction. */
const transactionBegin = 'Transaction.Begin';

/** OCPP 2.0.1 E01–E15 */
export const transactionEvent = (version: DeviceModelVersion) =>
  serve(version, 'TransactionEvent', {
    message: (request, receipt, overrides, isPartial) =>
      message(version, request, receipt, overrides, isPartial),
    timed: toTimedMessage,
    // A charger repeats a refused event without end (field note 5).
    substitutes: { timestamp: '', triggerReason: '', seqNo: 0 },
    essentials,
    handle: handleTransactionEvent,
    commit: ({ commit }) => commit,
    // idTokenInfo is present whenever the event has a token (E01.FR.11 and others).
    response: ({ authorization, totalCost, limits }) =>
      authorization === null && totalCost === null && limits === null
        ? noFields
        : {
            ...(authorization !== null && { idTokenInfo: idTokenInfo(authorization) }),
            ...(totalCost !== null && { totalCost }),
            // Only stations of 2.1 have limits (E16).
            ...(limits !== null && { transactionLimit: limits }),
          },
  });

function message(
  version: DeviceModelVersion,
  request: Request,
  receipt: Receipt,
  overrides: readonly MeterOverride[],
  isPartial: boolean,
): TransactionNotice {
  const at = chargerTime(request.timestamp, receipt);
  const known = request.evse === undefined ? null : positionOf(request.evse.id, request.evse.connectorId);
  const samples = samplesOf(request.meterValue ?? [], receipt, overrides);
  return {
    kind: request.eventType,
    isFree: request.idToken?.type === 'NoAuthorization',
    start: startOf(request, known ?? { evse: 1, connector: 1 }, at, samples, receipt),
    stop: request.eventType === 'Ended' ? stopOf(request, at, samples, receipt, isPartial) : null,
    connectorStatus: statusOf(request, known, at.time),
    meter: {
      position: known ?? { evse: 1, connector: 1 },
      transactionId: request.transactionInfo.transactionId,
      samples,
      signed: signedValuesOf(request.meterValue ?? [], receipt),
    },
    station: stationReportOf(version, request),
  };
}

/** Returns the time of an event; one that begins a transaction or presents a token may be the answer to a remote start. */
function toTimedMessage(request: Request): TimedMessage {
  const idToken = tokenOf(request);
  return { said: request.timestamp, kind: idToken === null ? 'other' : 'start', idToken };
}

/** Returns the fields that an event must not lose: without its token, a transaction cannot be billed. */
function essentials(payload: unknown): readonly string[] {
  return (payload as Partial<Request> | null)?.eventType === 'Ended' ? [] : ['idToken'];
}

function startOf(
  request: Request,
  position: ConnectorPosition,
  at: ChargerTime,
  samples: MeterSample[],
  receipt: Receipt,
): TransactionNotice['start'] {
  const flags: string[] = at.flag === null ? [] : [at.flag];
  if (request.eventType !== 'Started') flags.push(startMissing);
  return {
    position,
    idToken: tokenOf(request),
    transactionId: request.transactionInfo.transactionId,
    startedAt: at.time,
    receivedAt: receipt.at,
    meterStartWh: registerIn(samples, transactionBegin) ?? firstRegister(request, samples),
    remoteStartId: request.transactionInfo.remoteStartId ?? null,
    ...(request.reservationId !== undefined && { reservationId: request.reservationId }),
    flags,
  };
}

function stopOf(
  request: Request,
  at: ChargerTime,
  samples: MeterSample[],
  receipt: Receipt,
  isPartial: boolean,
): SessionStop {
  return {
    transactionId: request.transactionInfo.transactionId,
    endedAt: at.time,
    receivedAt: receipt.at,
    meterStopWh:
      registerIn(samples, 'Transaction.End') ??
      samples.findLast((sample) => sample.energyWh !== null && sample.context !== transactionBegin)
        ?.energyWh ??
      null,
    reason: request.transactionInfo.stoppedReason ?? 'Local',
    idToken: tokenOf(request),
    flags: stopFlags(at.flag, isPartial),
  };
}

/** Returns the token, or null for NoAuthorization: the station then charges any vehicle (C02). */
function tokenOf({ idToken }: Request): string | null {
  return idToken === undefined || idToken.type === 'NoAuthorization' ? null : idToken.idToken;
}

function registerIn(samples: MeterSample[], context: string): number | null {
  return samples.find((sample) => sample.context === context && sample.energyWh !== null)?.energyWh ?? null;
}

/** Returns the first register of a Started event as the meter start, with any context. */
function firstRegister(request: Request, samples: MeterSample[]): number | null {
  if (request.eventType === 'Ended') return null;
  return samples.find((sample) => sample.energyWh !== null)?.energyWh ?? null;
}

function statusOf(request: Request, position: ConnectorPosition | null, at: Date): StatusNotice | null {
  const status = connectorStates[request.transactionInfo.chargingState ?? ''];
  if (position === null || status === undefined) return null;
  return { position, status, errorCode: null, vendorErrorCode: null, info: null, at };
}
