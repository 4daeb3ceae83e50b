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
import { boots, charging, ends, reports, showsCompleted } from './fragments201.ts';

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
const progresses = (...statuses: string[]): Step[] =>
  statuses.map((status) => sends('FirmwareStatusNotification', { status, requestId: '$requestId' }));
const showsUpdate = (status: string, outcome: string | null): Step =>
  shows('firmware/status', { lastFirmwareUpdate: { status, outcome } });

const loads = ['Downloading', 'Downloaded'];
const installs: Step[] = [
  ...progresses('SignatureVerified', 'Installing', 'InstallRebooting'),
  connects(),
  boots('FirmwareUpdate'),
  reports('Available'),
  ...progresses('Installed'),
  sends('SecurityEventNotification', { type: 'FirmwareUpdated', timestamp: '$now' }),
  showsUpdate('Installed', 'succeeded'),
];
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
    ...progresses(...loads),
    ...installs,
  ),
  tested(
    'TC_L_02',
    'updates the firmware with a scheduled installation',
    boots(),
    updates('Accepted', { installDate: '$later' }, { installDateTime: '$later' }),
    ...progresses(...loads, 'InstallScheduled'),
    ...installs,
  ),
  tested(
    'TC_L_03',
    'updates the firmware with a scheduled download',
    boots(),
    updates('Accepted', { retrieveDate: '$later' }, { retrieveDateTime: '$later' }),
    ...progresses('DownloadScheduled', ...loads),
    ...installs,
  ),
  tested(
    'TC_L_04',
    'reports that the certificate of the image is revoked',
    boots(),
    updates('RevokedCertificate'),
    sends('SecurityEventNotification', { type: 'InvalidFirmwareSigningCertificate', timestamp: '$now' }),
  ),
  tested(
    'TC_L_05',
    'reports that the certificate of the image is invalid',
    boots(),
    updates('InvalidCertificate'),
    sends('SecurityEventNotification', { type: 'InvalidFirmwareSigningCertificate', timestamp: '$now' }),
  ),
  failsWith('TC_L_06', 'records an invalid signature of the image', ...loads, 'InvalidSignature'),
  failsWith('TC_L_07', 'records a failed download', 'Downloading', 'DownloadFailed'),
  failsWith(
    'TC_L_08',
    'records a failed verification of the installation',
    ...loads,
    'SignatureVerified',
    'Installing',
    'InstallVerificationFailed',
  ),
  failsWith(
    'TC_L_09',
    'records a failed installation',
    ...loads,
    'SignatureVerified',
    'Installing',
    'InstallationFailed',
  ),
  tested(
    'TC_L_10',
    'replaces an update that the station cancels',
    boots(),
    updates('Accepted'),
    ...progresses('Downloading'),
    updates('AcceptedCanceled'),
    ...progresses(...loads),
    ...installs,
  ),
  tested(
    'TC_L_11',
    'keeps an update that the station cannot cancel',
    boots(),
    updates('Accepted'),
    ...progresses(...loads),
    updates('Rejected'),
  ),
  tested(
    'TC_L_13',
    'updates the firmware after the running transaction',
    ...charging,
    updates('Accepted'),
    ...progresses('DownloadScheduled'),
    ends('StopAuthorized', 'Local'),
    ...progresses(...loads),
    ...installs,
    showsCompleted,
  ),
];
