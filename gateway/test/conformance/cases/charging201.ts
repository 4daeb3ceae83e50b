import {
  call,
  type Case,
  command,
  missing,
  operator,
  operatorFails,
  sends,
  shows,
  type Step,
  tested,
} from '#gateway/test/conformance/steps.ts';
import { boots, card, charging, connector1, event, showsRunning } from './fragments201.ts';

const wirePeriod = { startPeriod: 0, limit: 16 };
const bounds = { validFrom: '$now', validTo: '$later' };

interface Profile {
  connectorNumber?: number;
  profileId?: number;
  stackLevel?: number;
  purpose?: 'StationMax' | 'TxDefault' | 'Tx';
  kind?: 'Absolute' | 'Recurring' | 'Relative';
  recurrency?: 'Daily' | 'Weekly';
  /** Limit, A. */
  limit?: number;
}
const purposes = {
  StationMax: 'ChargingStationMaxProfile',
  TxDefault: 'TxDefaultProfile',
  Tx: 'TxProfile',
} as const;

/** Request of the operator for a profile, and its message. */
function profileOf({
  connectorNumber = 1,
  stackLevel = 0,
  purpose = 'TxDefault',
  kind = 'Absolute',
  limit = 16,
  ...more
}: Profile) {
  const isAbsolute = kind !== 'Relative';
  const absolute = { ...bounds, startsAt: '$now', durationSeconds: 3600 };
  const schedule = {
    chargingRateUnit: 'A',
    startSchedule: isAbsolute ? '$now' : undefined,
    duration: isAbsolute ? 3600 : undefined,
    chargingSchedulePeriod: [{ startPeriod: 0, limit }],
  };
  return {
    body: {
      connectorNumber,
      stackLevel,
      purpose,
      kind,
      ...more,
      ...(isAbsolute && absolute),
      rateUnit: 'A',
      periods: [{ startSeconds: 0, limit }],
    },
    payload: {
      evseId: connectorNumber,
      chargingProfile: {
        id: more.profileId ?? Number,
        stackLevel,
        chargingProfilePurpose: purposes[purpose],
        chargingProfileKind: kind,
        recurrencyKind: more.recurrency,
        transactionId: purpose === 'Tx' ? 'TX' : undefined,
        chargingSchedule: [schedule],
        ...(isAbsolute && bounds),
      },
    },
  };
}

/** The operator sets a profile. */
function sets(profile: Profile): Step {
  const { body, payload } = profileOf(profile);
  return operator('charging-profiles', body, [call('SetChargingProfile', payload)], { accepted: true });
}

/** The same, at a station that does not know the action. */
function setsInVain(profile: Profile): Step {
  const { body, payload } = profileOf(profile);
  const refused = { ...call('SetChargingProfile', payload), errorCode: 'NotSupported' };
  return operatorFails('charging-profiles', body, [refused], 'COMMAND_NOT_SUPPORTED');
}
const showsProfiles = (...profiles: object[]): Step => shows('charging-profiles', profiles);

const gets = (criteria: object, evseId?: number): Step =>
  command('GetChargingProfiles', {
    requestId: 5,
    ...(evseId !== undefined && { evseId }),
    chargingProfile: criteria,
  });
/** The station reports a profile that it holds. */
const reportsProfile = (evseId: number): Step =>
  sends('ReportChargingProfiles', {
    requestId: 5,
    chargingLimitSource: 'CSO',
    evseId,
    chargingProfile: [
      {
        id: 12,
        stackLevel: 1,
        chargingProfilePurpose: 'TxDefaultProfile',
        chargingProfileKind: 'Absolute',
        chargingSchedule: [
          { id: 1, chargingRateUnit: 'A', startSchedule: '$now', chargingSchedulePeriod: [wirePeriod] },
        ],
      },
    ],
  });
const reads = (id: string, by: string, criteria: object, evseId?: number): Case =>
  tested(
    id,
    `gets the charging profiles of a station by ${by}`,
    boots(),
    gets(criteria, evseId),
    reportsProfile(evseId ?? 1),
    showsProfiles({ purpose: 'TxDefaultProfile', evseId: evseId ?? 1, source: 'CSO' }),
  );

const clears = (query: string, payload: object, status = 'Accepted'): Step =>
  operator(
    `DELETE charging-profiles?${query}`,
    undefined,
    [call('ClearChargingProfile', payload, { status })],
    {
      accepted: status === 'Accepted',
    },
  );

const firstLevel = 'stackLevel=1&purpose=TxDefault';
const firstLevelCriteria = {
  chargingProfileCriteria: { evseId: 1, chargingProfilePurpose: 'TxDefaultProfile', stackLevel: 1 },
};

const schedule = (connectorNumber: number): Step =>
  operator(
    `GET composite-schedule?connectorNumber=${connectorNumber}&durationSeconds=300&rateUnit=W`,
    undefined,
    [
      call(
        'GetCompositeSchedule',
        { evseId: connectorNumber, duration: 300, chargingRateUnit: 'W' },
        {
          status: 'Accepted',
          schedule: {
            evseId: connectorNumber,
            duration: 300,
            scheduleStart: '$now',
            chargingRateUnit: 'W',
            chargingSchedulePeriod: [{ startPeriod: 0, limit: 11_000 }],
          },
        },
      ),
    ],
    { accepted: true, schedule: { rateUnit: 'W', periods: [{ limit: 11_000 }] } },
  );

const remoteProfile = {
  id: 3,
  stackLevel: 0,
  chargingProfilePurpose: 'TxProfile',
  chargingProfileKind: 'Relative',
  chargingSchedule: [{ id: 1, chargingRateUnit: 'A', chargingSchedulePeriod: [wirePeriod] }],
};

/** K: smart charging. */
export const smartCharging: Case[] = [
  tested(
    'TC_K_01',
    'sets a default profile at an EVSE',
    boots(),
    sets({}),
    showsProfiles({ purpose: 'TxDefaultProfile', connectorNumber: 1 }),
  ),
  tested(
    'TC_K_10',
    'sets a default profile at all EVSEs',
    boots(),
    sets({ connectorNumber: 0 }),
    showsProfiles({ purpose: 'TxDefaultProfile', connectorNumber: 0 }),
  ),
  tested(
    'TC_K_60',
    'sets a relative profile of a running transaction',
    ...charging,
    sets({ purpose: 'Tx', kind: 'Relative' }),
    showsProfiles({ purpose: 'TxProfile' }),
  ),
  tested(
    'TC_K_03',
    'sets a maximum profile of the station',
    boots(),
    sets({ connectorNumber: 0, purpose: 'StationMax' }),
    showsProfiles({ purpose: 'ChargingStationMaxProfile' }),
  ),
  tested(
    'TC_K_19',
    'sets profiles that recur daily and weekly',
    boots(),
    sets({ kind: 'Recurring', recurrency: 'Daily' }),
    sets({ kind: 'Recurring', recurrency: 'Weekly', stackLevel: 1 }),
  ),
  tested(
    'TC_K_15',
    'reports that the station does not support charging profiles',
    boots(),
    setsInVain({}),
    showsProfiles(),
  ),
  tested(
    'TC_K_70',
    'sets several profiles with different stack levels',
    boots(),
    sets({ stackLevel: 0 }),
    sets({ stackLevel: 1 }),
    showsProfiles({}, {}),
  ),
  tested(
    'TC_K_04',
    'replaces the profile with the same identifier',
    boots(),
    sets({ profileId: 41, limit: 8 }),
    sets({ profileId: 41, limit: 6 }),
    showsProfiles({
      profile: { id: 41, chargingSchedule: [{ chargingSchedulePeriod: [{ limit: 6 }] }] },
    }),
  ),
  tested(
    'TC_K_37',
    'starts a transaction remotely with a charging profile',
    boots(),
    command('RequestStartTransaction', {
      idToken: card,
      evseId: 1,
      remoteStartId: 77,
      chargingProfile: remoteProfile,
    }),
    event('Started', 'RemoteStart', 0, { idToken: card, evse: connector1, remoteStartId: '$remoteStartId' }),
    showsRunning,
  ),
  tested('TC_K_43', 'gets the composite schedule of an EVSE', boots(), schedule(1)),
  tested('TC_K_44', 'gets the composite schedule of the station', boots(), schedule(0)),
  reads('TC_K_29', 'EVSE 0', { chargingProfilePurpose: 'TxDefaultProfile' }, 0),
  reads('TC_K_30', 'EVSE', { chargingProfilePurpose: 'TxDefaultProfile' }, 1),
  reads('TC_K_31', 'criteria without EVSE', { chargingProfilePurpose: 'TxDefaultProfile' }),
  reads('TC_K_32', 'identifier', { chargingProfileId: [12] }),
  reads('TC_K_33', 'EVSE and stack level', { stackLevel: 1 }, 1),
  reads('TC_K_34', 'EVSE and source of the limit', { chargingLimitSource: ['CSO'] }, 1),
  reads('TC_K_35', 'EVSE and purpose', { chargingProfilePurpose: 'TxDefaultProfile' }, 1),
  reads(
    'TC_K_36',
    'EVSE, purpose and stack level',
    { chargingProfilePurpose: 'TxDefaultProfile', stackLevel: 1 },
    1,
  ),
  tested(
    'TC_K_05',
    'clears a profile by its identifier',
    boots(),
    sets({ profileId: 42, connectorNumber: 0, purpose: 'StationMax' }),
    clears('profileId=42', { chargingProfileId: 42, chargingProfileCriteria: undefined }),
    showsProfiles(),
  ),
  tested(
    'TC_K_06',
    'clears a profile by its EVSE, stack level and purpose',
    boots(),
    sets({ stackLevel: 1 }),
    sets({ stackLevel: 2 }),
    clears(`connectorNumber=1&${firstLevel}`, { chargingProfileId: undefined, ...firstLevelCriteria }),
    showsProfiles({ profile: { stackLevel: 2 } }),
  ),
  tested(
    'TC_K_08',
    'reports that no profile was cleared',
    boots(),
    clears(`connectorNumber=1&${firstLevel}`, firstLevelCriteria, 'Unknown'),
  ),
];

const noSchedules =
  'No charging schedules are calculated for vehicles: NotifyEVChargingNeeds is answered with Rejected, and the station charges within its limits.';

/** K: ISO 15118. The profile Smart Charging has its cases of smart charging. */
export const smartChargingIso: Case[] = [
  missing('TC_K_53', 'calculates a charging schedule from the needs of a vehicle', noSchedules),
  missing('TC_K_55', 'replaces a schedule when the schedule of the vehicle exceeds it', noSchedules),
  missing('TC_K_57', 'renegotiates a schedule on request of the vehicle', noSchedules),
  missing('TC_K_58', 'renegotiates a schedule with a new profile', noSchedules),
  missing('TC_K_59', 'renegotiates a schedule, to which the vehicle answers with new needs', noSchedules),
];
