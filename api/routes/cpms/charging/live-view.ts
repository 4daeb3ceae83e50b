import { kilo } from '#api/routes/schema.ts';
import type { LiveConnector, LiveState } from '#api/services/charging/live-state.ts';

/** A number of a reading without the noise of binary fractions. */
const rounded = (value: number | null) => (value === null ? null : Math.round(value * 1000) / 1000);

function readingView({ reading, sessionId }: LiveConnector) {
  if (reading === null) return null;
  const isOfSession = sessionId !== null && reading.sessionId === sessionId;
  return {
    time: new Date(reading.at).toISOString(),
    powerKw: kilo(reading.powerW),
    currentA: rounded(reading.currentA),
    voltageV: rounded(reading.voltageV),
    energyRegisterKwh: kilo(reading.energyRegisterWh),
    sessionEnergyKwh: isOfSession ? kilo(reading.sessionEnergyWh) : null,
    socPercent: rounded(reading.socPercent),
    temperatureC: rounded(reading.temperatureC),
  };
}

function connectorView(connector: LiveConnector) {
  const { number, status, errorCode, statusAt, sessionId } = connector;
  return {
    number,
    status,
    errorCode,
    statusAt: statusAt === null ? null : new Date(statusAt).toISOString(),
    sessionId,
    reading: readingView(connector),
  };
}

/** Returns the data of a message about a charger. */
export function liveChargerView(chargerUuid: string, { isOnline, connectors }: LiveState) {
  return { chargerId: chargerUuid, isOnline, connectors: connectors.map(connectorView) };
}

/** Returns the data of a message about a session: its connector, or null once it has ended. */
export function liveSessionView(
  session: { uuid: string; chargerUuid: string },
  { isOnline, connectors }: LiveState,
) {
  const connector = connectors.find(({ sessionId }) => sessionId === session.uuid);
  return {
    sessionId: session.uuid,
    chargerId: session.chargerUuid,
    isOnline,
    isRunning: connector !== undefined,
    connector: connector === undefined ? null : connectorView(connector),
  };
}
