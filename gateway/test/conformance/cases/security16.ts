import { testRootCertificate } from '#gateway/test/support/root-certificate.ts';
import {
  call,
  type Case,
  command,
  connects,
  operator,
  receives,
  sends,
  shakesHands,
  shows,
  type Step,
  tested,
  testedElsewhere,
} from '#gateway/test/conformance/steps.ts';
import { boots, reports } from './fragments16.ts';

const { pem, sha512 } = testRootCertificate;
const hash = { hashAlgorithm: 'SHA512', ...sha512 };
const proxy = 'deploy/test/proxy.test.ts';

const event = (type: string): Step => sends('SecurityEventNotification', { type, timestamp: '$now' });
const installs = (use: string, certificateType: string, status = 'Accepted'): Step =>
  operator(
    'certificates',
    { use, certificate: pem },
    [call('InstallCertificate', { certificateType, certificate: pem }, { status })],
    { accepted: status === 'Accepted' },
  );
const lists = (certificateType: string): Step =>
  command(
    'GetInstalledCertificateIds',
    { certificateType },
    { status: 'Accepted', certificateHashData: [hash] },
  );
const signs = (status: string): Step[] => [
  boots(),
  command('ExtendedTriggerMessage', { requestedMessage: 'SignChargePointCertificate' }),
  sends('SignCertificate', { csr: '$csr' }, { status: 'Accepted' }),
  receives('CertificateSigned', { certificateChain: /^-----BEGIN CERTIFICATE-----/ }, { status }),
];

const location = 'https://files.example.org/image.bin';
const signing = {
  certificate: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  signature: 'c2lnbmF0dXJl',
};
const updates = operator(
  'firmware/update',
  { location, signing },
  [
    call('SignedUpdateFirmware', {
      requestId: Number,
      firmware: { location, signature: signing.signature, signingCertificate: signing.certificate },
    }),
  ],
  { accepted: true },
);
const progresses = (...statuses: string[]): Step[] =>
  statuses.map((status) => sends('SignedFirmwareStatusNotification', { status, requestId: '$requestId' }));

/** Security of 1.6. */
export const security16: Case[] = [
  tested(
    'TC_073',
    'sets a new password, which the station uses when it reconnects',
    boots(),
    operator(
      'rotate-password',
      undefined,
      [call('ChangeConfiguration', { key: 'AuthorizationKey', value: /^.{16,40}$/ })],
      { accepted: true },
    ),
    connects({ passwordInHex: '$value' }),
    boots(),
  ),
  tested('TC_074', 'requests and signs a new certificate of the station', ...signs('Accepted')),
  tested(
    'TC_075_1',
    'installs a root certificate of the manufacturer',
    boots(),
    installs('ManufacturerRoot', 'ManufacturerRootCertificate'),
    lists('ManufacturerRootCertificate'),
  ),
  tested(
    'TC_075_2',
    'installs a root certificate of the central system',
    boots(),
    installs('CSMSRoot', 'CentralSystemRootCertificate'),
    lists('CentralSystemRootCertificate'),
  ),
  tested(
    'TC_076',
    'deletes a certificate that the station listed',
    boots(),
    installs('CSMSRoot', 'CentralSystemRootCertificate'),
    lists('CentralSystemRootCertificate'),
    command('DeleteCertificate', { certificateHashData: hash }),
  ),
  tested(
    'TC_077',
    'records that the station rejected its certificate as invalid',
    ...signs('Rejected'),
    event('InvalidChargePointCertificate'),
    shows('security-events', [{ type: 'InvalidChargePointCertificate' }]),
  ),
  tested(
    'TC_078',
    'records that the station rejected a root certificate as invalid',
    boots(),
    installs('CSMSRoot', 'CentralSystemRootCertificate', 'Rejected'),
    event('InvalidCentralSystemCertificate'),
    shows('security-events', [{ type: 'InvalidCentralSystemCertificate' }]),
  ),
  tested(
    'TC_079',
    'gets the security log',
    boots(),
    command(
      'GetLog',
      { logType: 'SecurityLog', requestId: 3, log: { remoteLocation: 'https://logs.example.org' } },
      { status: 'Accepted', filename: 'log.txt' },
    ),
    sends('LogStatusNotification', { status: 'Uploading', requestId: 3 }),
    sends('LogStatusNotification', { status: 'Uploaded', requestId: 3 }),
  ),
  tested(
    'TC_080',
    'updates the firmware with a signed image',
    boots(),
    updates,
    ...progresses('Downloading', 'Downloaded', 'SignatureVerified', 'Installing', 'InstallRebooting'),
    connects(),
    boots(),
    reports('Available'),
    ...progresses('Installed'),
    event('FirmwareUpdated'),
    shows('firmware/status', { lastFirmwareUpdate: { status: 'Installed', outcome: 'succeeded' } }),
  ),
  tested(
    'TC_081',
    'records an invalid signature of the image',
    boots(),
    updates,
    ...progresses('Downloading', 'Downloaded', 'InvalidSignature'),
    event('InvalidFirmwareSignature'),
    shows('firmware/status', { lastFirmwareUpdate: { status: 'InvalidSignature', outcome: 'failed' } }),
  ),
  tested(
    'TC_083',
    'raises the security profile of a station, and then admits it over TLS only',
    boots(),
    operator(
      'configuration',
      { key: 'SecurityProfile', value: '2' },
      [call('ChangeConfiguration', { key: 'SecurityProfile', value: '2' })],
      { accepted: true },
    ),
    operator('reboot', { type: 'Hard' }, [call('Reset', { type: 'Hard' })], { accepted: true }),
    operator('PATCH ', { securityProfile: 2 }, [], { updated: true }),
    shakesHands(false, 403),
    shakesHands(true, 101),
  ),
  tested(
    'TC_085',
    'admits a station with its user name and password',
    connects({ password: 'a-wrong-password', refusal: 401 }),
    connects(),
    boots(),
    reports('Available'),
  ),
  testedElsewhere(
    'TC_086',
    'presents a server certificate, with TLS 1.2 or later and the ECDSA cipher suites of OCPP',
    proxy,
  ),
  testedElsewhere('TC_087', 'admits a station with a valid client certificate', proxy),
  tested('TC_088', 'selects the sub-protocol that the station offers', connects(), boots()),
];
