import { type Case, sends, type Step, tested } from '#gateway/test/conformance/steps.ts';
import {
  boots,
  card,
  charging,
  connector1,
  ends,
  event,
  notifies,
  register,
  registerOf,
  showsCompleted,
  showsRunning,
} from './fragments201.ts';

const signed = {
  signedMeterValue: {
    signedMeterData: 'b3BhcXVl',
    signingMethod: 'ECDSA-secp256r1-SHA256',
    encodingMethod: 'OCMF',
    publicKey: 'b2NhOmFzbg==',
  },
};
const clock = 'Sample.Clock';
const updates = (reason: string, wh: number, context: string, seqNo = 2, more: object = {}): Step =>
  event('Updated', reason, seqNo, {
    evse: connector1,
    state: 'Charging',
    meterValue: [register(wh, context, more)],
  });
const begin = registerOf(1000, 'Transaction.Begin');

/** J: meter values, core. */
export const meterValues: Case[] = [
  tested(
    'TC_J_01',
    'accepts clock-aligned meter values without a transaction, by each of the two messages',
    boots(),
    sends('MeterValues', { evseId: 0, meterValue: [register(900, clock)] }),
    sends('MeterValues', { evseId: 1, meterValue: [register(1000, clock)] }),
    notifies({ name: 'FiscalMetering', evse: { id: 1 } }, 'EnergyImportRegister', '1000', {
      trigger: 'Periodic',
    }),
  ),
  tested(
    'TC_J_02',
    'accepts clock-aligned meter values of idle EVSEs and of a transaction',
    ...charging,
    sends('MeterValues', { evseId: 0, meterValue: [register(5000, clock)] }),
    sends('MeterValues', { evseId: 2, meterValue: [register(3000, clock)] }),
    updates('MeterValueClock', 1200, clock),
    updates('MeterValueClock', 1400, clock, 3),
    showsRunning,
  ),
  tested(
    'TC_J_03',
    'accepts clock-aligned meter values at the end of a transaction',
    ...charging,
    ends('StopAuthorized', 'Local', {
      meterValue: [register(1200, clock), register(2000, 'Transaction.End')],
    }),
    showsCompleted,
  ),
  tested(
    'TC_J_04',
    'accepts signed clock-aligned meter values at the end of a transaction',
    ...charging,
    ends('StopAuthorized', 'Local', {
      meterValue: [register(1200, clock, signed), register(2000, 'Transaction.End', signed)],
    }),
    showsCompleted,
  ),
  tested(
    'TC_J_07',
    'accepts meter values at the start of a transaction',
    boots(),
    event('Started', 'Authorized', 0, { idToken: card, evse: connector1, meterValue: begin }),
    ends('StopAuthorized', 'Local', {}, 1),
    showsCompleted,
  ),
  tested(
    'TC_J_08',
    'accepts meter values of the start after a start without EVSE',
    boots(),
    event('Started', 'Authorized', 0, { idToken: card }),
    event('Updated', 'CablePluggedIn', 1, { evse: connector1, state: 'EVConnected', meterValue: begin }),
    ends('StopAuthorized', 'Local'),
    showsCompleted,
  ),
  tested(
    'TC_J_09',
    'accepts periodic meter values',
    ...charging,
    updates('MeterValuePeriodic', 1200, 'Sample.Periodic'),
    updates('MeterValuePeriodic', 1400, 'Sample.Periodic', 3),
    ends('StopAuthorized', 'Local', {}, 4),
    showsCompleted,
  ),
  tested(
    'TC_J_10',
    'accepts meter values at the end of a transaction',
    ...charging,
    ends('StopAuthorized', 'Local', {
      meterValue: [register(1000, 'Transaction.Begin'), register(1500), register(2000, 'Transaction.End')],
    }),
    showsCompleted,
  ),
  tested(
    'TC_J_11',
    'accepts signed sampled meter values',
    ...charging,
    updates('MeterValuePeriodic', 1200, 'Sample.Periodic', 2, signed),
    ends('StopAuthorized', 'Local', { meterValue: [register(2000, 'Transaction.End', signed)] }, 3),
    showsCompleted,
  ),
];
