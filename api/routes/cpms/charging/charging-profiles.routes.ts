import { maxInt32 } from '#shared/domain/kernel/integers.ts';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { Closed, DateTime, Decimal, Integer, Named, Nullable, OneOf, Str } from '#api/routes/schema.ts';
import {
  changeDynamicLimit,
  type ChargingProfileRecord,
  clearChargingProfiles,
  readChargingProfiles,
  setChargingProfile,
} from '#api/services/charging/charging-profiles.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { profileKinds, profilePurposes, recurrencies } from '#shared/domain/charging/charging-profile.ts';
import {
  chargerOf,
  commandAnswer,
  commandErrors,
  commandRequest,
  outcome,
} from '#api/routes/cpms/kernel/command-route.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { maxSeconds, Place, RateUnit } from './charging-profile-fields.ts';

const ProfileId = Integer('Charging profile identifier.', 1, { minimum: 1, maximum: maxInt32 });
const StackLevel = Integer('Stack level of the profile. The highest valid level applies.', 0, {
  minimum: 0,
  maximum: 1000,
});
const Purpose = OneOf(
  profilePurposes,
  'Purpose of the profile. StationMax: the charger as a whole. TxDefault: every session. Tx: the session ' +
    'that is running at the connector. PriorityCharging (OCPP 2.1): each session while it charges with priority.',
);
const Seconds = Integer('Duration of the schedule in seconds.', 4500, { minimum: 0, maximum: maxSeconds });
const Rate = Type.Number({
  minimum: 0,
  maximum: 10_000_000,
  description: 'Minimum charging rate, in the unit of `rateUnit`.',
});

const Limit = Decimal('Maximum rate in the unit of `rateUnit`, in steps of 0.1.', 16, {
  minimum: 0,
  maximum: 10_000_000,
});

const Period = Type.Object(
  {
    startSeconds: Integer('Start of the period, in seconds after the start of the schedule.', 0, {
      minimum: 0,
      maximum: maxSeconds,
    }),
    limit: Limit,
    phases: Type.Optional(Integer('Number of phases. Default: 3.', 3, { minimum: 1, maximum: 3 })),
  },
  { title: 'ChargingProfilePeriod', additionalProperties: false },
);

const NewProfile = Closed({
  connectorNumber: Place,
  profileId: Type.Optional(ProfileId),
  stackLevel: StackLevel,
  purpose: Purpose,
  kind: OneOf(
    profileKinds,
    'Kind of schedule. Relative: from the start of the session. Dynamic (OCPP 2.1): one limit, which is changed while it applies.',
  ),
  recurrency: Type.Optional(OneOf(recurrencies, 'Recurrence of a Recurring profile.')),
  validFrom: Type.Optional(DateTime('Time from which the profile is valid. Omit it for no bound.')),
  validTo: Type.Optional(DateTime('Time until which the profile is valid. Omit it for no bound.')),
  startsAt: Type.Optional(DateTime('Start of the schedule.')),
  durationSeconds: Type.Optional(Seconds),
  rateUnit: RateUnit,
  minChargingRate: Type.Optional(Rate),
  updateIntervalSeconds: Type.Optional(
    Integer(
      'Interval in seconds at which the charger requests the limit of a Dynamic profile. Omit it for a charger that waits for changes.',
      60,
      { minimum: 1, maximum: maxSeconds },
    ),
  ),
  periods: Type.Array(Period, {
    minItems: 1,
    maxItems: 1024,
    description: 'Periods of the schedule, in order.',
  }),
});

const Profile = Named('ChargingProfile', {
  profileId: Integer('Charging profile identifier at the charger.', 1),
  connectorNumber: Nullable(
    Integer(
      'Connector number, starting at 1. 0: the charger as a whole. Null when the connector is not stored.',
      1,
    ),
  ),
  evseId: Integer('Connector number, starting at 1. 0: the charger as a whole.', 1),
  source: Str('Source of the profile. CSO: set through this API. Other values are reported by the charger.'),
  purpose: Str("Purpose of the profile, in the words of the charger's OCPP version."),
  stackLevel: Integer('Stack level. The highest valid level applies.', 0),
  profile: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: "Profile in the format of the charger's OCPP version.",
  }),
  reportedAt: DateTime('Time the charger accepted or reported the profile.'),
});

function view({ evse, connectorNumber, reportedAt, ...rest }: ChargingProfileRecord) {
  return {
    ...rest,
    connectorNumber: evse === 0 ? 0 : connectorNumber,
    evseId: evse,
    reportedAt: reportedAt.toISOString(),
  };
}

const dateOrNull = (text: string | undefined) => (text === undefined ? null : new Date(text));
const url = '/chargers/:chargerUuid/charging-profiles';
const querystring = commandRequest.querystring.properties;

/** Registers the routes of charging profiles. */
export function chargingProfileRoutes(app: App, deps: ApiDeps): void {
  operation(app, `GET ${url}`, 'cpms:read:charging-profiles', {
    ...commandRequest,
    operationId: 'listChargingProfiles',
    summary: 'List the charging profiles of a charger',
    description:
      'Profiles that the charger accepted or reported. A profile that ended with its session or its validity ' +
      'stays in the list until it is cleared: chargers do not report that.',
    response: {
      200: Envelope(
        Type.Array(Profile),
        'Profiles by connector, the highest of each stack first. At most 1,000.',
      ),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      return success((await readChargingProfiles(deps, charger)).map(view));
    },
  });

  operation(app, `POST ${url}`, 'cpms:command:charging-profile', {
    ...commandRequest,
    operationId: 'setChargingProfile',
    summary: 'Set a charging profile',
    description:
      'Replaces the profile with the same identifier, and the one with the same purpose and stack level at the ' +
      'connector.',
    body: NewProfile,
    response: {
      200: Envelope(
        Type.Object({
          ...commandAnswer,
          profileId: Integer('Charging profile identifier.', 1),
          connectorNumber: Integer('Connector number at the charger, starting at 1.', 1),
        }),
        'Answer of the charger.',
      ),
      ...commandErrors('CHARGER_LOAD_MANAGED', 'CONNECTOR_NOT_FOUND', 'NO_ACTIVE_SESSION'),
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const { body } = request;
      const sent = await setChargingProfile(deps, actorOf(request), charger, {
        connectorNumber: body.connectorNumber,
        profileId: body.profileId ?? null,
        stackLevel: body.stackLevel,
        purpose: body.purpose,
        kind: body.kind,
        recurrency: body.recurrency ?? null,
        validFrom: dateOrNull(body.validFrom),
        validTo: dateOrNull(body.validTo),
        startsAt: dateOrNull(body.startsAt),
        durationSeconds: body.durationSeconds ?? null,
        rateUnit: body.rateUnit,
        minChargingRate: body.minChargingRate ?? null,
        updateIntervalSeconds: body.updateIntervalSeconds ?? null,
        periods: body.periods.map(({ phases = null, ...period }) => ({ ...period, phases })),
      });
      return success({
        chargerId: charger.uuid,
        profileId: sent.profileId,
        connectorNumber: body.connectorNumber,
        accepted: sent.accepted,
        message: outcome(sent, 'The charger accepted the profile.'),
      });
    },
  });

  operation(app, `POST ${url}/:profileId/limit`, 'cpms:command:charging-profile', {
    ...commandRequest,
    operationId: 'changeDynamicLimit',
    summary: 'Change the limit of a Dynamic charging profile (OCPP 2.1)',
    description:
      'The charger applies the limit at once. It also gets the limit when it requests it (`updateIntervalSeconds`).',
    params: Type.Object({ ...commandRequest.params.properties, profileId: ProfileId }),
    body: Closed({ limit: Limit }),
    response: {
      200: Envelope(Type.Object(commandAnswer), 'Answer of the charger.'),
      ...commandErrors('CHARGER_LOAD_MANAGED', 'PROFILE_NOT_FOUND'),
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const { profileId } = request.params;
      const { limit } = request.body;
      const sent = await changeDynamicLimit(deps, actorOf(request), charger, { profileId, limit });
      return success({
        chargerId: charger.uuid,
        accepted: sent.accepted,
        message: outcome(sent, 'The charger applies the limit.'),
      });
    },
  });

  operation(app, `DELETE ${url}`, 'cpms:command:charging-profile', {
    ...commandRequest,
    operationId: 'clearChargingProfiles',
    summary: 'Clear charging profiles by identifier or criteria, or all of them',
    description: 'Without criteria all profiles of the charger are cleared.',
    querystring: Type.Object({
      ...querystring,
      profileId: Type.Optional(ProfileId),
      connectorNumber: Type.Optional(Place),
      purpose: Type.Optional(Purpose),
      stackLevel: Type.Optional(StackLevel),
    }),
    response: {
      200: Envelope(Type.Object(commandAnswer), 'Answer of the charger. Status Unknown: no profile matched.'),
      ...commandErrors('CHARGER_LOAD_MANAGED', 'CONNECTOR_NOT_FOUND'),
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const { profileId = null, connectorNumber = null, purpose = null, stackLevel = null } = request.query;
      const criteria = { profileId, connectorNumber, purpose, stackLevel };
      const sent = await clearChargingProfiles(deps, actorOf(request), charger, criteria);
      return success({
        chargerId: charger.uuid,
        accepted: sent.accepted,
        message: outcome(sent, 'The charger cleared the profiles.'),
      });
    },
  });
}
