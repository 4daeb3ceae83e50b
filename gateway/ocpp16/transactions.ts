import { authorizeStop, handleAuthorize } from '#gateway/handlers/authorize.ts';
import { handleMeterValues, storeReadings, storeSignedValues } from '#gateway/handlers/meter-values.ts';
import { handleSessionStart } from '#gateway/handlers/session-start.ts';
import { handleSessionStop } from '#gateway/handlers/session-stop.ts';
import { lastReading } from '#gateway/protocol/last-reading.ts';
import { serve } from '#gateway/protocol/serve.ts';
import { registerWh } from '#shared/domain/charging/meter-sample.ts';
import { type MeterReport, stopFlags } from '#shared/domain/charging/session.ts';
import { type ConnectorPosition, station } from '#shared/domain/fleet/charger.ts';
import type { MeterOverride } from '#shared/domain/fleet/meter-override.ts';
import { chargerTime, type Receipt } from '#shared/domain/kernel/clock.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';
import { idTagInfo } from './id-tag-info.ts';
import { samplesOf, signedValuesOf } from './meter-value.ts';
import { chargingPositionOf, readingPositionOf } from './position.ts';

/** OCPP 1.6 §4.1 */
export const authorize = serve('1.6', 'Authorize', {
  message: ({ idTag }) => ({ idToken: idTag, contract: null }),
  handle: handleAuthorize,
  response: (authorization) => ({ idTagInfo: idTagInfo(authorization) }),
});

/** OCPP 1.6 §4.8 */
export const startTransaction = serve('1.6', 'StartTransaction', {
  message(request, receipt, overrides) {
    const { time, flag } = chargerTime(request.timestamp, receipt);
    return {
      position: chargingPositionOf(request.connectorId),
      idToken: request.idTag,
      transactionId: null,
      startedAt: time,
      receivedAt: receipt.at,
      meterStartWh: registerWh(request.meterStart, 'meterStart', overrides),
      remoteStartId: null,
      ...(request.reservationId !== undefined && { reservationId: request.reservationId }),
      flags: flag === null ? [] : [flag],
    };
  },
  timed: ({ timestamp: said, idTag: idToken }) => ({ said, kind: 'start', idToken }),
  handle: (context, start, request) => handleSessionStart(context, start, startKey(request)),
  response: ({ transactionId, authorization }) => ({
    transactionId: Number(transactionId),
    idTagInfo: idTagInfo(authorization),
  }),
});

/**
 * Returns the identity of a start: connector, token, time and meter as the charger sent them, without the message id
 * (rule 2 of the architecture; 1.6 has no transaction id before our answer).
 */
function startKey(request: RequestOf<'1.6', 'StartTransaction'>): string {
  const { connectorId, idTag, timestamp, meterStart } = request;
  return `start ${connectorId} ${timestamp} ${meterStart} ${idTag.toLowerCase()}`;
}

/** OCPP 1.6 §4.7 */
export const meterValues = serve('1.6', 'MeterValues', {
  message: ({ connectorId, transactionId, meterValue }, receipt, overrides) =>
    readings({ position: readingPositionOf(connectorId), transactionId, meterValue }, receipt, overrides),
  timed: lastReading,
  // An id that is no number names no transaction.
  substitutes: {},
  handle: handleMeterValues,
  commit: (commit) => commit,
});

/** OCPP 1.6 §4.10 */
export const stopTransaction = serve('1.6', 'StopTransaction', {
  message(request, receipt, overrides, isPartial) {
    const { time, flag } = chargerTime(request.timestamp, receipt);
    return {
      transactionId: String(request.transactionId),
      endedAt: time,
      receivedAt: receipt.at,
      meterStopWh: registerWh(request.meterStop, 'meterStop', overrides),
      // "If the reason is omitted, it is Local" (§6.49).
      reason: request.reason ?? 'Local',
      idToken: request.idTag ?? null,
      flags: stopFlags(flag, isPartial),
    };
  },
  timed: ({ timestamp: said }) => ({ said, kind: 'other' }),
  // A stop is never refused for its time or register (field note 5).
  substitutes: { timestamp: '', meterStop: -1 },
  // Readings first: the last of them settles a stop without register.
  async handle(context, stop, { transactionId, transactionData = [] }) {
    const { receivedAt: at, localTime, meterOverrides } = context;
    const receipt = { at, localOffsetMs: localTime.offsetMs };
    // Their position is that of the transaction, if there is one.
    const inStop = { position: station, transactionId, meterValue: transactionData };
    const report = readings(inStop, receipt, meterOverrides);
    await storeReadings(context, report);
    const reconciled = await handleSessionStop(context, stop);
    if (reconciled !== null) await storeSignedValues(context, reconciled, report);
    return stop.idToken === null ? null : authorizeStop(context, stop.idToken);
  },
  // The charger refreshes its cache from the state of the token that stopped the session.
  response: (authorization) => (authorization === null ? {} : { idTagInfo: idTagInfo(authorization) }),
});

interface Readings {
  position: ConnectorPosition;
  transactionId?: number;
  meterValue: RequestOf<'1.6', 'MeterValues'>['meterValue'];
}

function readings(
  { position, transactionId, meterValue }: Readings,
  receipt: Receipt,
  overrides: readonly MeterOverride[],
): MeterReport {
  return {
    position,
    transactionId: transactionId === undefined ? null : String(transactionId),
    samples: samplesOf(meterValue, receipt, overrides),
    signed: signedValuesOf(meterValue, receipt),
  };
}
