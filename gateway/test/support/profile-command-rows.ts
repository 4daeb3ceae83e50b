import type { ChargingProfile } from '#shared/domain/charging/charging-profile.ts';
import type { Row } from './named-command-rows.ts';

const expires = '2030-01-01T00:00:00.000Z';
const accepted = { status: 'Accepted' };

const profile: ChargingProfile = {
  profileId: 9,
  stackLevel: 2,
  purpose: 'TxDefault',
  kind: 'Recurring',
  recurrency: 'Daily',
  updateIntervalSeconds: null,
  validFrom: new Date('2030-01-01T00:00:00Z'),
  validTo: new Date('2031-01-01T00:00:00Z'),
  transactionId: null,
  startsAt: new Date('2030-01-01T06:00:00Z'),
  durationSeconds: 86_400,
  rateUnit: 'A',
  minChargingRate: 6,
  periods: [
    { startSeconds: 0, limit: 16.1, phases: 1 },
    { startSeconds: 3600, limit: 32, phases: null },
  ],
};
const schedule = {
  chargingRateUnit: 'A',
  duration: 86_400,
  startSchedule: '2030-01-01T06:00:00.000Z',
  minChargingRate: 6,
  chargingSchedulePeriod: [
    { startPeriod: 0, limit: 16.1, numberPhases: 1 },
    { startPeriod: 3600, limit: 32 },
  ],
};
const wire = {
  stackLevel: 2,
  chargingProfilePurpose: 'TxDefaultProfile',
  chargingProfileKind: 'Recurring',
  recurrencyKind: 'Daily',
  validFrom: expires,
  validTo: '2031-01-01T00:00:00.000Z',
};
const ofSession: ChargingProfile = {
  ...profile,
  purpose: 'Tx',
  kind: 'Relative',
  recurrency: null,
  validFrom: null,
  validTo: null,
  transactionId: '42',
  startsAt: null,
  durationSeconds: null,
  minChargingRate: null,
  periods: [{ startSeconds: 0, limit: 0, phases: null }],
};
const plainSchedule = { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 0 }] };
const plainWire = { stackLevel: 2, chargingProfilePurpose: 'TxProfile', chargingProfileKind: 'Relative' };

const clearOne = {
  type: 'clear-charging-profiles',
  profileId: 9,
  evse: null,
  purpose: null,
  stackLevel: null,
} as const;
const clearSome = { ...clearOne, profileId: null, evse: 0, purpose: 'StationMax', stackLevel: 3 } as const;
const composite = { type: 'get-composite-schedule', evse: 2, durationSeconds: 3600, rateUnit: 'W' } as const;
const reportedSchedule = {
  startsAt: expires,
  durationSeconds: 3600,
  rateUnit: 'W',
  periods: [{ startSeconds: 0, limit: 11_000, phases: null }],
};
const reportedPeriods = [{ startPeriod: 0, limit: 11_000 }];

/** Commands about charging profiles. */
export const profileCommandRows: Row[] = [
  [
    'ocpp1.6',
    { type: 'set-charging-profile', evse: 1, profile },
    'SetChargingProfile',
    { connectorId: 1, csChargingProfiles: { chargingProfileId: 9, ...wire, chargingSchedule: schedule } },
    accepted,
    { accepted: true },
  ],
  [
    'ocpp2.0.1',
    { type: 'set-charging-profile', evse: 0, profile },
    'SetChargingProfile',
    { evseId: 0, chargingProfile: { id: 9, ...wire, chargingSchedule: [{ id: 1, ...schedule }] } },
    { status: 'Rejected' },
    { accepted: false },
  ],
  [
    'ocpp1.6',
    { type: 'set-charging-profile', evse: 1, profile: ofSession },
    'SetChargingProfile',
    {
      connectorId: 1,
      csChargingProfiles: {
        chargingProfileId: 9,
        transactionId: 42,
        ...plainWire,
        chargingSchedule: plainSchedule,
      },
    },
    { status: 'NotSupported' },
    { accepted: false },
  ],
  [
    'ocpp2.0.1',
    { type: 'set-charging-profile', evse: 1, profile: ofSession },
    'SetChargingProfile',
    {
      evseId: 1,
      chargingProfile: {
        id: 9,
        transactionId: '42',
        ...plainWire,
        chargingSchedule: [{ id: 1, ...plainSchedule }],
      },
    },
    { status: 'Rejected' },
    { accepted: false },
  ],
  [
    'ocpp2.1',
    { type: 'set-charging-profile', evse: 0, profile: { ...profile, maxOfflineSeconds: 120 } },
    'SetChargingProfile',
    {
      evseId: 0,
      chargingProfile: {
        id: 9,
        ...wire,
        maxOfflineDuration: 120,
        invalidAfterOfflineDuration: true,
        chargingSchedule: [{ id: 1, ...schedule }],
      },
    },
    accepted,
    { accepted: true },
  ],
  ['ocpp1.6', clearOne, 'ClearChargingProfile', { id: 9 }, { status: 'Unknown' }, { accepted: false }],
  [
    'ocpp2.0.1',
    clearOne,
    'ClearChargingProfile',
    { chargingProfileId: 9 },
    { status: 'Unknown' },
    { accepted: false },
  ],
  [
    'ocpp1.6',
    clearSome,
    'ClearChargingProfile',
    { connectorId: 0, chargingProfilePurpose: 'ChargePointMaxProfile', stackLevel: 3 },
    accepted,
    { accepted: true },
  ],
  [
    'ocpp2.0.1',
    clearSome,
    'ClearChargingProfile',
    {
      chargingProfileCriteria: {
        evseId: 0,
        chargingProfilePurpose: 'ChargingStationMaxProfile',
        stackLevel: 3,
      },
    },
    accepted,
    { accepted: true },
  ],
  [
    'ocpp1.6',
    composite,
    'GetCompositeSchedule',
    { connectorId: 2, duration: 3600, chargingRateUnit: 'W' },
    {
      status: 'Accepted',
      connectorId: 2,
      scheduleStart: expires,
      chargingSchedule: { duration: 3600, chargingRateUnit: 'W', chargingSchedulePeriod: reportedPeriods },
    },
    { accepted: true, schedule: reportedSchedule },
  ],
  [
    'ocpp2.0.1',
    { ...composite, rateUnit: null },
    'GetCompositeSchedule',
    { evseId: 2, duration: 3600 },
    {
      status: 'Accepted',
      schedule: {
        evseId: 2,
        duration: 3600,
        scheduleStart: expires,
        chargingRateUnit: 'W',
        chargingSchedulePeriod: reportedPeriods,
      },
    },
    { accepted: true, schedule: reportedSchedule },
  ],
];
