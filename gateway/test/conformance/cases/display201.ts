import {
  type Case,
  command,
  costsAreDue,
  receives,
  sends,
  type Step,
  tested,
} from '#gateway/test/conformance/steps.ts';
import { boots, charging, connector1, ends, event, registerOf, showsSession } from './fragments201.ts';

const message = (more: object = {}) => ({
  message: { id: 1, priority: 'NormalCycle', message: { format: 'UTF8', content: 'Welcome' }, ...more },
});
const sets = (id: string, requires: string, more: object, before: Step[] = [boots()]): Case =>
  tested(id, requires, ...before, command('SetDisplayMessage', message(more)));
const refuses = (id: string, requires: string, more: object, status: string): Case =>
  tested(
    id,
    requires,
    boots(),
    command('SetDisplayMessage', message(more), { status }, { accepted: false, status }),
  );
const gets = (id: string, requires: string, query: object): Case =>
  tested(
    id,
    requires,
    boots(),
    command('SetDisplayMessage', message()),
    command('GetDisplayMessages', { requestId: 2, ...query }),
    sends('NotifyDisplayMessages', { requestId: 2, messageInfo: [message().message] }),
  );

const showsCosts = sends('NotifyReport', {
  requestId: 1,
  generatedAt: '$now',
  seqNo: 0,
  reportData: [
    {
      component: { name: 'TariffCostCtrlr' },
      variable: { name: 'Enabled', instance: 'Cost' },
      variableAttribute: [{ value: 'true', mutability: 'ReadWrite' }],
    },
  ],
});

/** O: display messages, and I: costs. */
export const displayMessages: Case[] = [
  tested(
    'TC_I_01',
    'sends the running cost of a transaction',
    showsCosts,
    ...charging,
    event('Updated', 'MeterValuePeriodic', 2, {
      evse: connector1,
      state: 'Charging',
      meterValue: registerOf(2000, 'Sample.Periodic'),
    }),
    showsSession({ energyKwh: 1 }),
    costsAreDue,
    receives('CostUpdated', { totalCost: Number, transactionId: 'TX' }, {}),
  ),
  tested(
    'TC_I_02',
    'returns the final cost of a transaction',
    showsCosts,
    ...charging,
    ends('StopAuthorized', 'Local', {}, 2, { totalCost: Number }),
  ),
  sets('TC_O_01', 'sets a display message', {}),
  refuses('TC_O_26', 'reports that the station rejected a message', {}, 'Rejected'),
  sets('TC_O_13', 'sets a message with a start', { startDateTime: '$later' }),
  sets('TC_O_14', 'sets a message with an end', { endDateTime: '$later' }),
  refuses(
    'TC_O_17',
    'reports a priority that the station does not support',
    { priority: 'AlwaysFront' },
    'NotSupportedPriority',
  ),
  refuses(
    'TC_O_18',
    'reports a state that the station does not support',
    { state: 'Faulted' },
    'NotSupportedState',
  ),
  refuses(
    'TC_O_19',
    'reports a format that the station does not support',
    { message: { format: 'HTML', content: '<b>Welcome</b>' } },
    'NotSupportedMessageFormat',
  ),
  tested(
    'TC_O_12',
    'replaces a message with the same identifier',
    boots(),
    command('SetDisplayMessage', message()),
    command('SetDisplayMessage', message({ priority: 'InFront' })),
  ),
  sets('TC_O_06', 'sets a message of a transaction', { transactionId: 'TX' }, charging),
  refuses(
    'TC_O_10',
    'reports a transaction that the station does not know',
    { transactionId: 'OTHER' },
    'UnknownTransaction',
  ),
  sets(
    'TC_O_27',
    'sets a message of a transaction with a start',
    { transactionId: 'TX', startDateTime: '$later' },
    charging,
  ),
  sets(
    'TC_O_28',
    'sets a message of a transaction with an end',
    { transactionId: 'TX', endDateTime: '$later' },
    charging,
  ),
  gets('TC_O_02', 'gets all messages', {}),
  tested(
    'TC_O_03',
    'reports that the station has no messages',
    boots(),
    command('GetDisplayMessages', { requestId: 2 }, { status: 'Unknown' }, { accepted: false }),
  ),
  gets('TC_O_07', 'gets a message by its identifier', { id: [1] }),
  gets('TC_O_08', 'gets messages by priority', { priority: 'NormalCycle' }),
  gets('TC_O_09', 'gets messages by state', { state: 'Charging' }),
  tested(
    'TC_O_04',
    'clears a message',
    boots(),
    command('SetDisplayMessage', message()),
    command('ClearDisplayMessage', { id: 1 }),
  ),
  tested(
    'TC_O_05',
    'reports that the station does not know a message',
    boots(),
    command('ClearDisplayMessage', { id: 9 }, { status: 'Unknown' }, { accepted: false }),
  ),
];
