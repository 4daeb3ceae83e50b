import {
  call,
  type Case,
  command,
  operator,
  refusedCommand,
  sends,
  type Step,
  tested,
} from '#gateway/test/conformance/steps.ts';
import {
  accepted,
  authorizes,
  blockedCard,
  boots,
  card,
  charging,
  connector1,
  ends,
  event,
  groupCard,
  inGroup,
  reports,
  secondGroupCard,
  showsSession,
} from './fragments201.ts';

const unknownCard = { idToken: 'UNKNOWN', type: 'ISO14443' };
const expiredCard = { idToken: 'EXPIRED', type: 'ISO14443' };
const refuses = (status: string | RegExp) => ({ idTokenInfo: { status } });

/** The cable is plugged in (part 6, state EVConnectedPreSession). */
const plugged = [
  boots(),
  reports('Occupied'),
  event('Started', 'CablePluggedIn', 0, { evse: connector1, state: 'EVConnected' }),
];

/** The transaction of a member of the group. */
const groupCharging = [
  boots(),
  authorizes(groupCard, inGroup),
  event('Started', 'Authorized', 0, { idToken: groupCard, evse: connector1 }, inGroup),
  event('Updated', 'ChargingStateChanged', 1, { state: 'Charging', evse: connector1 }),
];

const connector2 = { id: 2, connectorId: 1 };
const stopsByPass = (transactionId: string, evse: object): Step =>
  event(
    'Ended',
    'StopAuthorized',
    2,
    { transactionId, stopped: 'MasterPass', idToken: groupCard, evse },
    inGroup,
  );

/** Transactions at both EVSEs, and the driver with the master pass. */
const passIsPresented = [
  ...charging,
  event(
    'Started',
    'Authorized',
    0,
    { transactionId: 'TX-2', idToken: secondGroupCard, evse: connector2 },
    inGroup,
  ),
  authorizes(groupCard, inGroup),
];
const stopsBoth = [stopsByPass('TX', connector1), stopsByPass('TX-2', connector2)];

/** C: authorization, core. */
export const authorizationCore: Case[] = [
  tested('TC_C_02', 'refuses an unknown token', boots(), authorizes(unknownCard, refuses('Invalid'))),
  tested('TC_C_06', 'refuses a blocked token', boots(), authorizes(blockedCard, refuses('Blocked'))),
  tested('TC_C_07', 'refuses an expired token', boots(), authorizes(expiredCard, refuses('Expired'))),
  tested(
    'TC_C_08',
    'accepts the token of a transaction that the station authorized by its cache',
    ...plugged,
    event('Updated', 'Authorized', 1, { idToken: card, evse: connector1 }, accepted),
  ),
  tested(
    'TC_C_20',
    'refuses the token of a transaction that the station authorized by its cache',
    ...plugged,
    event(
      'Updated',
      'Authorized',
      1,
      { idToken: unknownCard, evse: connector1 },
      refuses(/^(Invalid|Unknown)$/),
    ),
  ),
  tested('TC_C_37', 'clears the authorization cache', boots(), command('ClearCache', {})),
  tested(
    'TC_C_38',
    'reports that the station did not clear its cache',
    boots(),
    refusedCommand('ClearCache', {}, 'Rejected'),
  ),
  tested(
    'TC_C_39',
    'returns the group of a token, by which another member ends the transaction',
    ...groupCharging,
    authorizes(secondGroupCard, inGroup),
    event(
      'Ended',
      'StopAuthorized',
      2,
      { stopped: 'Local', idToken: secondGroupCard, evse: connector1 },
      inGroup,
    ),
  ),
  tested(
    'TC_C_47',
    'returns the group of a master pass that ends all transactions',
    ...passIsPresented,
    ...stopsBoth,
  ),
  tested(
    'TC_C_48',
    'returns the group of a master pass that ends a selected transaction',
    ...passIsPresented,
    stopsByPass('TX', connector1),
  ),
  tested(
    'TC_C_49',
    'returns the group of a master pass at a station without user interface',
    ...passIsPresented,
    ...stopsBoth,
  ),
];

const listed = (idToken: object, status: string) => ({
  idToken,
  idTokenInfo: { status, groupIdToken: { idToken: 'GROUP', type: 'Central' } },
});
const lists = (versionNumber: number, updateType: string, localAuthorizationList?: object[]) =>
  command('SendLocalList', {
    versionNumber,
    updateType,
    ...(localAuthorizationList && { localAuthorizationList }),
  });

/** C and D: local authorization list. */
export const localLists: Case[] = [
  tested(
    'TC_C_40',
    'sends tokens with their group in the local list and accepts the member that ends a transaction',
    boots(),
    lists(1, 'Full', [listed(groupCard, 'Accepted'), listed(secondGroupCard, 'Accepted')]),
    event('Started', 'Authorized', 0, { idToken: groupCard, evse: connector1 }, inGroup),
    event(
      'Ended',
      'StopAuthorized',
      1,
      { stopped: 'Local', idToken: secondGroupCard, evse: connector1 },
      inGroup,
    ),
  ),
  tested(
    'TC_C_43',
    'accepts the member that ends a transaction, although the local list refuses it',
    boots(),
    lists(1, 'Full', [listed(groupCard, 'Accepted'), listed(secondGroupCard, 'Blocked')]),
    ...groupCharging.slice(2),
    authorizes(secondGroupCard, inGroup),
    event('Updated', 'StopAuthorized', 2, { idToken: secondGroupCard, evse: connector1 }, inGroup),
    event('Ended', 'EVCommunicationLost', 3, { stopped: 'Local', evse: connector1 }),
  ),
  tested(
    'TC_D_01',
    'sends the tokens of the network as a full list',
    boots(),
    operator(
      'local-list',
      undefined,
      [
        call(
          'GetVariables',
          {
            getVariableData: [
              { component: { name: 'LocalAuthListCtrlr' }, variable: { name: 'ItemsPerMessage' } },
            ],
          },
          {
            getVariableResult: [
              {
                component: { name: 'LocalAuthListCtrlr' },
                variable: { name: 'ItemsPerMessage' },
                attributeStatus: 'Accepted',
                attributeValue: '100',
              },
            ],
          },
        ),
        call('SendLocalList', { versionNumber: Number, updateType: 'Full' }),
      ],
      { accepted: true, entryCount: 5 },
    ),
  ),
  tested(
    'TC_D_02',
    'adds a token to the list',
    boots(),
    lists(2, 'Differential', [listed(groupCard, 'Accepted')]),
  ),
  tested(
    'TC_D_03',
    'removes a token from the list',
    boots(),
    lists(3, 'Differential', [{ idToken: groupCard }]),
  ),
  tested('TC_D_04', 'replaces the list with an empty one', boots(), lists(4, 'Full')),
  tested(
    'TC_D_08',
    'gets the version of the list',
    boots(),
    command('GetLocalListVersion', {}, { versionNumber: 4 }, { result: { versionNumber: 4 } }),
  ),
  tested(
    'TC_D_09',
    'gets version 0 from a station without a list',
    boots(),
    command('GetLocalListVersion', {}, { versionNumber: 0 }, { result: { versionNumber: 0 } }),
  ),
  tested(
    'TC_N_46',
    'clears the data of a customer and removes its token from the list',
    boots(),
    lists(1, 'Full', [listed(groupCard, 'Accepted')]),
    command('CustomerInformation', { requestId: 9, report: true, clear: true, idToken: groupCard }),
    sends('NotifyCustomerInformation', { requestId: 9, data: 'none', seqNo: 0, generatedAt: '$now' }),
    lists(2, 'Differential', [{ idToken: groupCard }]),
  ),
];

const contract = { idToken: 'NLHRBC00000042', type: 'eMAID' };
const authorizesContract = (evidence: object, status: string, certificateStatus: string) =>
  sends('Authorize', { idToken: contract, ...evidence }, { idTokenInfo: { status }, certificateStatus });

/** C: ISO 15118. The authorities and the certificates are in the set-up of the test. */
export const authorizationIso: Case[] = [
  tested(
    'TC_C_50',
    'accepts a contract whose certificates its responder confirms, by their hashes',
    boots(),
    authorizesContract({ iso15118CertificateHashData: '$contractHashes' }, 'Accepted', 'Accepted'),
    event('Started', 'Authorized', 0, { idToken: contract, evse: connector1 }),
    ends('StopAuthorized', 'Local', {}, 1),
    showsSession({ status: 'COMPLETED' }),
  ),
  tested(
    'TC_C_51',
    'refuses a contract whose certificate is revoked',
    boots(),
    authorizesContract({ iso15118CertificateHashData: '$revokedHashes' }, 'Invalid', 'CertificateRevoked'),
  ),
  tested(
    'TC_C_52',
    'accepts a contract by the certificate chain that the station sends',
    boots(),
    authorizesContract({ certificate: '$contractChain' }, 'Accepted', 'Accepted'),
  ),
];
