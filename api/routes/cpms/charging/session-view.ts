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
  networkUuid: Uuid(),
  startReceivedAt: DateTime('When we were told of the start'),
  stopReceivedAt: Nullable(DateTime('When we were told of the stop; null: it runs, or its end is estimated')),
  authorizationStatus: Type.String({ description: 'What the charger was told of the token at the start' }),
  invoiceNumber: Nullable(Type.String({ description: 'Of the invoice that it is on' })),
  version: Version,
};

const Revision = Named('SessionRevision', {
  version: Version,
  startedAt: DateTime(),
  endedAt: Nullable(DateTime()),
  energyKwh: Type.Number(),
  meterStartKwh: Nullable(Type.Number()),
  meterStopKwh: Nullable(Type.Number()),
  stopReason: Nullable(Type.String()),
  flags: Type.Array(Type.String()),
  cost: Nullable(Type.Object(costBreakdown)),
  replacedAt: DateTime(),
  replacedBy: Nullable(
    Type.String({ description: "The operator or the key; null: the charger's own messages" }),
  ),
  reason: Nullable(Type.String()),
});

/** A session in the operator's list. */
export const SessionItem = Named('OperatorSessionSummary', { ...PublicItem.properties, ...beside });

/** A session with all that is known of it. */
export const SessionDetail = Named('OperatorSession', {
  ...PublicDetail.properties,
  ...beside,
  tariff: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
    description: "The tariff as it stood at the start, in OCPI's form; null: none was assigned",
  }),
  revisions: Type.Array(Revision, { description: 'What it was before it was put right, oldest first' }),
});

/** A session in a list. */
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

/** A session with its breakdown, its tariff and its revisions. */
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
