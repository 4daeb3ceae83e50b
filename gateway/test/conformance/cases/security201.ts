import {
  call,
  type Case,
  command,
  connects,
  missing,
  operator,
  receives,
  sends,
  shakesHands,
  tested,
  testedElsewhere,
} from '#gateway/test/conformance/steps.ts';
import { boots, reports, triggers } from './fragments201.ts';

const component = { name: 'SecurityCtrlr' };
const variable = { name: 'BasicAuthPassword' };
const setsPassword = (attributeStatus: string) =>
  call(
    'SetVariables',
    { setVariableData: [{ component, variable, attributeValue: /^.{16,40}$/ }] },
    { setVariableResult: [{ component, variable, attributeStatus }] },
  );
const proxy = 'deploy/test/proxy.test.ts';

const signs = (certificateType: string | undefined, requestedMessage: string, status = 'Accepted') => [
  boots(),
  triggers(requestedMessage),
  sends(
    'SignCertificate',
    { csr: '$csr', ...(certificateType && { certificateType }) },
    { status: 'Accepted' },
  ),
  receives(
    'CertificateSigned',
    { certificateChain: /^-----BEGIN CERTIFICATE-----/, certificateType },
    { status },
  ),
];

export const slot = {
  configurationSlot: 2,
  connectionData: {
    messageTimeout: 30,
    ocppCsmsUrl: 'wss://example.org/ocpp',
    ocppInterface: 'Wired0',
    ocppTransport: 'JSON',
    ocppVersion: 'OCPP20',
    securityProfile: 2,
  },
};

/** A: security, core. */
export const securityCore: Case[] = [
  tested(
    'TC_A_01',
    'admits a station with its user name and password',
    connects(),
    boots(),
    reports('Available'),
  ),
  tested(
    'TC_A_02',
    'refuses a user name that is not the identity of the station',
    connects({ username: 'another', refusal: 401 }),
  ),
  tested('TC_A_03', 'refuses a wrong password', connects({ password: 'a-wrong-password', refusal: 401 })),
  testedElsewhere(
    'TC_A_04',
    'presents a server certificate, with the ECDSA cipher suites of OCPP; the RSA suites need a second certificate',
    proxy,
  ),
  testedElsewhere('TC_A_06', 'refuses TLS below 1.2', proxy),
  tested(
    'TC_A_09',
    'sets a new password, which the station uses when it reconnects',
    boots(),
    operator('rotate-password', undefined, [setsPassword('Accepted')], { accepted: true }),
    connects({ password: '$attributeValue' }),
    boots('RemoteReset'),
  ),
  tested(
    'TC_A_10',
    'keeps the password when the station rejects the new one',
    boots(),
    operator('rotate-password', undefined, [setsPassword('Rejected')], { accepted: false }),
    connects({ password: '$attributeValue', refusal: 401 }),
    connects(),
    boots(),
  ),
  tested(
    'TC_A_19',
    'raises the security profile of a station, and then admits it over TLS only',
    boots(),
    command('SetNetworkProfile', slot),
    operator(
      'variables/set',
      { variables: [{ component: 'OCPPCommCtrlr', variable: 'NetworkConfigurationPriority', value: '2,1' }] },
      [
        call(
          'SetVariables',
          { setVariableData: [{ component: { name: 'OCPPCommCtrlr' }, attributeValue: '2,1' }] },
          {
            setVariableResult: [
              {
                component: { name: 'OCPPCommCtrlr' },
                variable: { name: 'NetworkConfigurationPriority' },
                attributeStatus: 'RebootRequired',
              },
            ],
          },
        ),
      ],
      { accepted: true },
    ),
    operator('reboot', undefined, [call('Reset', { type: 'OnIdle' })], { accepted: true }),
    operator('PATCH ', { securityProfile: 2 }, [], { updated: true }),
    shakesHands(false, 403),
    shakesHands(true, 101),
  ),
];

/** A: advanced security. */
export const advancedSecurity: Case[] = [
  testedElsewhere('TC_A_07', 'admits a station with a valid client certificate', proxy),
  testedElsewhere('TC_A_08', 'refuses an invalid client certificate', proxy),
  tested(
    'TC_A_11',
    'requests and signs a new certificate of the station',
    ...signs('ChargingStationCertificate', 'SignChargingStationCertificate'),
  ),
  tested(
    'TC_A_14',
    'records that the station rejected its certificate as invalid',
    ...signs('ChargingStationCertificate', 'SignChargingStationCertificate', 'Rejected'),
    sends('SecurityEventNotification', { type: 'InvalidChargingStationCertificate', timestamp: '$now' }),
  ),
];

/** A: ISO 15118. */
export const securityIso: Case[] = [
  missing(
    'TC_A_12',
    'signs a V2G certificate of the station',
    'No V2G certificate authority; a V2G certificate request is rejected.',
  ),
  tested(
    'TC_A_13',
    'requests and signs a certificate for OCPP and ISO 15118, by the authority of the installation',
    ...signs(undefined, 'SignCombinedCertificate'),
  ),
];
