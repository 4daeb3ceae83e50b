import {
  call,
  type Case,
  connects,
  operator,
  sends,
  shows,
  type Step,
  tested,
} from '#gateway/test/conformance/steps.ts';
import { boots, charging, reports, showsCompleted, stopsAndUnplugs } from './fragments201.ts';

const location = 'https://files.example.org/image.bin';
const signing = {
  certificate: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  signature: 'c2lnbmF0dXJl',
};

const updates = (status: string, more: object = {}, payload: object = {}): Step =>
  operator(
    'firmware/update',
    { location, signing, ...more },
    [
      call(
        'UpdateFirmware',
        {
          requestId: Number,
          firmware: {
            location,
            retrieveDateTime: String,
            signature: signing.signature,
            signingCertificate: signing.certificate,
            ...payload,
          },
        },
        { status },
      ),
    ],
    { accepted: status === 'Accepted' || status === 'AcceptedCanceled' },
  );
const progressesOf = (requestId: string, statuses: string[]): Step[] =>
  statuses.map((status) => sends('FirmwareStatusNotification', { status, requestId }));
const progresses = (...statuses: string[]): Step[] => progressesOf('$requestId', statuses);
const securityEvent = (type: string): Step => sends('SecurityEventNotification', { type, timestamp: '$now' });
const showsUpdate = (status: string, outcome: string | null): Step =>
  shows('firmware/status', { lastFirmwareUpdate: { status, outcome } });

const loads = ['Downloading', 'Downloaded'];
const verified = [...loads, 'SignatureVerified'];
const rebootsWithNewVersion: Step[] = [connects(), boots('FirmwareUpdate'), reports('Available')];
const installsOf = (requestId: string): Step[] => [
  ...progressesOf(requestId, ['Installing', 'InstallRebooting']),
  ...rebootsWithNewVersion,
  ...progressesOf(requestId, ['Installed']),
];
const installs: Step[] = [...installsOf('$requestId'), showsUpdate('Installed', 'succeeded')];
const failsWith = (id: string, requires: string, ...statuses: string[]): Case =>
  tested(
    id,
    requires,
    boots(),
    updates('Accepted'),
    ...progresses(...statuses),
    showsUpdate(statuses.at(-1) ?? '', 'failed'),
  );

/** L: firmware, core. */
export const firmware: Case[] = [
  tested(
    'TC_L_01',
    'updates the firmware with a signed image',
    boots(),
    updates('Accepted'),
    ...progresses(...verified),
    ...installs,
  ),
  tested(
    'TC_L_02',
    'updates the firmware with a scheduled installation',
    boots(),
    updates('Accepted', { installDate: '$later' }, { installDateTime: '$later' }),
    ...progresses(...verified, 'InstallScheduled'),
    ...installs,
  ),
  tested(
    'TC_L_03',
    'updates the firmware with a scheduled download',
    boots(),
    updates('Accepted', { retrieveDate: '$later' }, { retrieveDateTime: '$later' }),
    ...progresses('DownloadScheduled', ...verified),
    ...installs,
  ),
  tested(
    'TC_L_04',
    'reports that the certificate of the image is revoked',
    boots(),
    updates('RevokedCertificate'),
  ),
  tested(
    'TC_L_05',
    'reports that the certificate of the image is invalid',
    boots(),
    updates('InvalidCertificate'),
    securityEvent('InvalidFirmwareSigningCertificate'),
  ),
  tested(
    'TC_L_06',
    'records an invalid signature of the image',
    boots(),
    updates('Accepted'),
    ...progresses(...loads, 'InvalidSignature'),
    securityEvent('InvalidFirmwareSignature'),
    showsUpdate('InvalidSignature', 'failed'),
  ),
  failsWith('TC_L_07', 'records a failed download', 'Downloading', 'DownloadFailed'),
  failsWith(
    'TC_L_08',
    'records a failed verification of the installation',
    ...verified,
    'Installing',
    'InstallVerificationFailed',
  ),
  tested(
    'TC_L_09',
    'records a failed installation',
    boots(),
    updates('Accepted'),
    ...progresses(...verified, 'Installing', 'InstallRebooting'),
    ...rebootsWithNewVersion,
    ...progresses('InstallationFailed'),
    showsUpdate('InstallationFailed', 'failed'),
  ),
  tested(
    'TC_L_10',
    'replaces an update that the station cancels',
    boots(),
    updates('Accepted'),
    ...progresses('Downloading'),
    updates('AcceptedCanceled'),
    ...progresses(...verified),
    ...installs,
  ),
  tested(
    'TC_L_11',
    'completes an update that the station cannot cancel',
    boots(),
    updates('Accepted'),
    ...progresses('Downloading'),
    updates('Rejected'),
    ...progressesOf('$first_requestId', ['Downloaded', 'SignatureVerified']),
    ...installsOf('$first_requestId'),
  ),
  tested(
    'TC_L_13',
    'updates the firmware after the running transaction',
    ...charging,
    updates('Accepted'),
    ...progresses('DownloadScheduled'),
    reports('Unavailable', 2),
    ...stopsAndUnplugs,
    ...progresses(...verified),
    ...installs,
    showsCompleted,
  ),
];
