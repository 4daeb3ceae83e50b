import { MeterStartKwh, MeterStopKwh, StopReason } from '#api/routes/session-fields.ts';
import { type Static, Type } from 'typebox';
import {
  costBreakdown,
  detailFields,
  SessionItem as PublicItem,
  sessionView,
} from '#api/routes/emsp/charging/session-view.ts';
import {
  DateTime,
  Decimal,
  Flag,
  isoOrNull,
  kilo,
  Named,
  NetworkNumber,
  Nullable,
  OneOf,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import type { Caller } from '#api/services/access/callers.ts';
import {
  type OperatorSessionReading,
  readsDrivers,
  type ReviewedSession,
  type SessionRevision,
} from '#api/services/charging/operator-sessions.ts';
import { storedCost } from '#api/services/charging/session-cost.ts';
import { reviewReasons, type SessionReview } from '#api/services/charging/session-reviews.ts';
import type { SessionReading } from '#api/services/charging/sessions.service.ts';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';

const Review = Named('SessionReview', {
  reasons: Type.Array(OneOf(reviewReasons), {
    description:
      'Reasons of the review. energy-implausible: more or far less energy than the connector can have delivered. ' +
      'duration-implausible: more than 30 days. energy-unmeasured: no register was read. energy-from-power: only power ' +
      'was read. energy-estimated: readings are missing. energy-values-set-aside: values could not be read. ' +
      'register-differs: the stop contradicts the readings. signature-invalid: a signed meter value that no registered key ' +
      'signed. partner-statement: the roaming partner stated other values. station-cost-differs: the station calculated another cost. time-*: a time that the charger did not report or cannot have meant.',
  }),
  proposed: Type.Object(
    {
      energyKwh: Decimal('Reported energy in kWh.', 912.5),
      endedAt: DateTime('Reported end.'),
      totalInclVat: Nullable(
        Decimal("Price with VAT, in the major unit of the session's currency. Null without a tariff.", 365),
      ),
    },
    { description: 'Values that an approval settles, as the charger reported them.' },
  ),
  plausible: Type.Object(
    {
      energyKwh: Decimal('Highest plausible energy in kWh.', 27.4),
      totalInclVat: Nullable(
        Decimal('Price of that energy with VAT, in the major unit. Null without a tariff.', 13.26),
      ),
    },
    {
      description:
        'Maximum that the connector can have delivered: its power plus 20 %, for the duration of the session, ' +
        'plus 1 kWh.',
    },
  ),
  needsConfirmation: Flag('True when an approval requires `confirmAbovePlausible`.'),
  partnerStatement: Nullable(
    Type.Object(
      {
        energyKwh: Nullable(Decimal('Energy in kWh. Null when not stated.', 11.4)),
        endedAt: Nullable(DateTime('Time of the end. Null when not stated.')),
        currency: Nullable(Str('Currency (ISO 4217). Null when not stated.', 'EUR')),
        status: Nullable(Str('Status of the session (OCPI). Null when not stated.', 'COMPLETED')),
      },
      {
        description:
          'Values that the roaming partner stated and that differ from ours. An approval accepts or rejects them ' +
          '(`partnerStatement`). Null when it stated none.',
      },
    ),
  ),
});

const extras = {
  networkId: NetworkNumber,
  networkUuid: Uuid('Network identifier.'),
  timeZone: Str(
    "Time zone of the location (IANA), or the network's when the charger has no location.",
    'Europe/Amsterdam',
  ),
  startReceivedAt: DateTime('Time the gateway received the start.'),
  stopReceivedAt: Nullable(
    DateTime(
      'Time the gateway received the stop. Null while the session is running, or when its end is estimated.',
    ),
  ),
  authorizationStatus: Str('Authorization status that the charger received at the start.', 'Accepted'),
  review: Nullable(Review),
  invoiceNumber: Nullable(
    Str('Number of the invoice with the session. Null when it is on no invoice.', '2026-000042'),
  ),
  version: Version,
};

const Revision = Named('SessionRevision', {
  version: Version,
  startedAt: DateTime('Start of the session before the change.'),
  endedAt: Nullable(DateTime('End of the session before the change. Null when it was running.')),
  energyKwh: Decimal('Energy before the change, in kWh.', 12.5),
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
    Str('Operator or API key that made the change. Null for messages of the charger.', 'Ada Operator'),
  ),
  reason: Nullable(Str('Reason of the change. Null for messages of the charger.', 'Paid at the desk')),
});

const driverName = Nullable(
  Str(
    'Name of the driver. Null for an unknown token, and for callers without the scope `cpms:read:users`.',
    'Anna Driver',
  ),
);

/** Session in the operator's list. */
export const SessionItem = Named('OperatorSessionSummary', {
  ...PublicItem.properties,
  driverName,
  ...extras,
});

/** Session with all details. */
export const SessionDetail = Named('OperatorSession', {
  ...detailFields,
  driverName,
  ...extras,
  tariff: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
    description: 'Tariff at the start of the session, in the format of OCPI. Null when none was assigned.',
  }),
  revisions: Type.Array(Revision, { description: 'Values before each change, oldest first.' }),
});

/** Converts a session for a list of callers who read the names of drivers. */
export function sessionItem({ reading, review }: ReviewedSession): Static<typeof SessionItem> {
  return { ...sessionView(reading), driverName: reading.session.driverName, ...besideView(reading, review) };
}

/** Converts a session for a list of callers who do not read the names of drivers. */
export function anonymousItem(session: ReviewedSession): Static<typeof SessionItem> {
  return { ...sessionItem(session), driverName: null };
}

function besideView({ session }: SessionReading, review: SessionReview | null) {
  return {
    networkId: session.networkId,
    networkUuid: session.networkUuid,
    timeZone: session.timeZone,
    startReceivedAt: session.startReceivedAt.toISOString(),
    stopReceivedAt: isoOrNull(session.stopReceivedAt),
    authorizationStatus: session.authorizationStatus,
    review: review && reviewView(review),
    invoiceNumber: session.invoiceNumber,
    version: session.version,
  };
}

function reviewView({
  reasons,
  proposed,
  plausible,
  needsConfirmation,
  partnerStatement: stated,
}: SessionReview): Static<typeof Review> {
  return {
    reasons,
    proposed: {
      energyKwh: kilo(proposed.energyWh),
      endedAt: proposed.endedAt.toISOString(),
      totalInclVat: proposed.totalInclVat,
    },
    plausible: { energyKwh: kilo(plausible.energyWh), totalInclVat: plausible.totalInclVat },
    needsConfirmation,
    partnerStatement: stated && {
      energyKwh: stated.kwh ?? null,
      endedAt: stated.endedAt ?? null,
      currency: stated.currency ?? null,
      status: stated.status ?? null,
    },
  };
}

/** Converts a session with its cost breakdown, tariff and revisions, for a caller who reads the names of drivers. */
function sessionDetail({ reading, review, revisions }: OperatorSessionReading): Static<typeof SessionDetail> {
  return {
    ...sessionView(reading),
    driverName: reading.session.driverName,
    ...besideView(reading, review),
    tariff: reading.session.tariff,
    revisions: revisions.map(revisionView),
  };
}

/** Converts a session with its details, for a caller who does not read the names of drivers. */
function anonymousDetail(session: OperatorSessionReading): Static<typeof SessionDetail> {
  return { ...sessionDetail(session), driverName: null };
}

/** Returns the conversion of a session with its details for a caller. */
export const detailFor = (caller: Caller) => (readsDrivers(caller) ? sessionDetail : anonymousDetail);

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
