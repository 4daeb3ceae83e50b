import { MeterStartKwh, MeterStopKwh, StopReason } from '#api/routes/session-fields.ts';
import { type Static, Type } from 'typebox';
import {
  costBreakdown,
  SessionDetail as PublicDetail,
  SessionItem as PublicItem,
  sessionView,
} from '#api/routes/emsp/charging/session-view.ts';
import { DateTime, isoOrNull, kilo, Named, NetworkNumber, Nullable, Uuid } from '#api/routes/schema.ts';
import type { SessionRevision } from '#api/services/charging/operator-sessions.ts';
import { storedCost } from '#api/services/charging/session-cost.ts';
import type { SessionReading } from '#api/services/charging/sessions.ts';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';

const beside = {
  networkId: NetworkNumber,
  networkUuid: Uuid('Network identifier.'),
  startReceivedAt: DateTime('Time the gateway received the start.'),
  stopReceivedAt: Nullable(
    DateTime(
      'Time the gateway received the stop. Null while the session is running, or when its end is estimated.',
    ),
  ),
  authorizationStatus: Type.String({
    description: 'Authorization status that the charger received at the start.',
    examples: ['Accepted'],
  }),
  invoiceNumber: Nullable(
    Type.String({
      description: 'Number of the invoice with the session. Null when it is on no invoice.',
      examples: ['2026-000042'],
    }),
  ),
  version: Version,
};

const Revision = Named('SessionRevision', {
  version: Version,
  startedAt: DateTime('Start of the session before the change.'),
  endedAt: Nullable(DateTime('End of the session before the change. Null when it was running.')),
  energyKwh: Type.Number({ description: 'Energy before the change, in kWh.', examples: [12.5] }),
  meterStartKwh: MeterStartKwh,
  meterStopKwh: MeterStopKwh,
  stopReason: StopReason,
  flags: Type.Array(Type.String({ examples: ['corrected'] }), { description: 'Flags before the change.' }),
  cost: Nullable(
    Type.Object(costBreakdown, {
      description: 'Price before the change. Null when the session had no price.',
    }),
  ),
  replacedAt: DateTime('Time of the change that replaced these values.'),
  replacedBy: Nullable(
    Type.String({
      description: 'Operator or API key that made the change. Null for messages of the charger.',
      examples: ['Ada Operator'],
    }),
  ),
  reason: Nullable(
    Type.String({
      description: 'Reason of the change. Null for messages of the charger.',
      examples: ['Paid at the desk'],
    }),
  ),
});

/** Session in the operator's list. */
export const SessionItem = Named('OperatorSessionSummary', { ...PublicItem.properties, ...beside });

/** Session with all details. */
export const SessionDetail = Named('OperatorSession', {
  ...PublicDetail.properties,
  ...beside,
  tariff: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
    description: 'Tariff at the start of the session, in the format of OCPI. Null when none was assigned.',
  }),
  revisions: Type.Array(Revision, { description: 'Values before each change, oldest first.' }),
});

/** Converts a session for a list. */
export function sessionItem(reading: SessionReading): Static<typeof SessionItem> {
  const { session } = reading;
  return {
    ...sessionView(reading),
    networkId: session.networkId,
    networkUuid: session.networkUuid,
    startReceivedAt: session.startReceivedAt.toISOString(),
    stopReceivedAt: isoOrNull(session.stopReceivedAt),
    authorizationStatus: session.authorizationStatus,
    invoiceNumber: session.invoiceNumber,
    version: session.version,
  };
}

/** Converts a session with its cost breakdown, tariff and revisions. */
export function sessionDetail(
  reading: SessionReading,
  revisions: readonly SessionRevision[],
): Static<typeof SessionDetail> {
  return {
    ...sessionItem(reading),
    ...sessionView(reading),
    networkId: reading.session.networkId,
    tariff: reading.session.tariff,
    revisions: revisions.map(revisionView),
  };
}

function revisionView({
  cost,
  energyWh,
  meterStartWh,
  meterStopWh,
  ...revision
}: SessionRevision): Static<typeof Revision> {
  return {
    ...revision,
    startedAt: revision.startedAt.toISOString(),
    endedAt: isoOrNull(revision.endedAt),
    replacedAt: revision.replacedAt.toISOString(),
    energyKwh: kilo(energyWh),
    meterStartKwh: kilo(meterStartWh),
    meterStopKwh: kilo(meterStopWh),
    cost: cost === null ? null : storedCost(cost),
  };
}
