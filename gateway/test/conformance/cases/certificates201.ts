import { testRootCertificate } from '#gateway/test/support/root-certificate.ts';
import {
  call,
  type Case,
  command,
  missing,
  operator,
  sends,
  type Step,
  tested,
} from '#gateway/test/conformance/steps.ts';
import { boots } from './fragments201.ts';

const { pem, sha512 } = testRootCertificate;
const hash = { hashAlgorithm: 'SHA512', ...sha512 };
/** Hashes of the same certificate by another algorithm, as the station reports them. */
const hashedBy = (hashAlgorithm: string) => ({ ...hash, hashAlgorithm });

const installs = (use: string, certificateType: string, status = 'Accepted'): Step =>
  operator(
    'certificates',
    { use, certificate: pem },
    [call('InstallCertificate', { certificateType, certificate: pem }, { status })],
    { accepted: status === 'Accepted' },
  );
const lists = (
  certificateType: string[] | undefined,
  held: string[],
  certificateHashData: object = hash,
): Step =>
  command(
    'GetInstalledCertificateIds',
    certificateType === undefined ? {} : { certificateType },
    held.length === 0
      ? { status: 'NotFound' }
      : {
          status: 'Accepted',
          certificateHashDataChain: held.map((type) => ({
            certificateType: type,
            certificateHashData,
          })),
        },
    { accepted: held.length > 0 },
  );
const listsInstalled = (id: string, type: string): Case =>
  tested(id, `lists the certificates of type ${type}`, boots(), lists([type], [type]));
const deletes = (status: string, certificateHashData: object = hash): Step =>
  command('DeleteCertificate', { certificateHashData }, { status }, { accepted: status === 'Accepted' });

/** M: certificates, core. */
export const certificates: Case[] = [
  tested(
    'TC_M_01',
    'installs a root certificate of the CSMS',
    boots(),
    installs('CSMSRoot', 'CSMSRootCertificate'),
    lists(['CSMSRootCertificate'], ['CSMSRootCertificate']),
  ),
  tested(
    'TC_M_02',
    'installs a root certificate of the manufacturer',
    boots(),
    installs('ManufacturerRoot', 'ManufacturerRootCertificate'),
    lists(['ManufacturerRootCertificate'], ['ManufacturerRootCertificate']),
  ),
  tested(
    'TC_M_05',
    'reports that the station failed to install a certificate',
    boots(),
    installs('CSMSRoot', 'CSMSRootCertificate', 'Failed'),
  ),
  listsInstalled('TC_M_13', 'ManufacturerRootCertificate'),
  tested(
    'TC_M_18',
    'lists the certificates of all types',
    boots(),
    lists(undefined, ['CSMSRootCertificate', 'ManufacturerRootCertificate']),
  ),
  tested(
    'TC_M_19',
    'reports that the station has no such certificate',
    boots(),
    lists(['ManufacturerRootCertificate'], []),
  ),
  tested(
    'TC_M_20',
    'deletes a certificate by the hashes that the station listed, with each algorithm',
    boots(),
    ...['SHA256', 'SHA384', 'SHA512']
      .map(hashedBy)
      .flatMap((hashes) => [
        installs('CSMSRoot', 'CSMSRootCertificate'),
        lists(['CSMSRootCertificate'], ['CSMSRootCertificate'], hashes),
        deletes('Accepted', hashes),
      ]),
  ),
  tested(
    'TC_M_21',
    'reports that the station failed to delete a certificate',
    boots(),
    installs('CSMSRoot', 'CSMSRootCertificate'),
    lists(['CSMSRootCertificate'], ['CSMSRootCertificate']),
    deletes('Failed'),
  ),
];

const noProvisioning = 'No contract certificate authority: Get15118EVCertificate is answered with Failed.';

/** M: ISO 15118. */
export const certificatesIso: Case[] = [
  missing('TC_M_26', 'installs a contract certificate in a vehicle', noProvisioning),
  missing('TC_M_28', 'updates the contract certificate of a vehicle', noProvisioning),
  listsInstalled('TC_M_14', 'V2GRootCertificate'),
  listsInstalled('TC_M_15', 'V2GCertificateChain'),
  listsInstalled('TC_M_16', 'MORootCertificate'),
  tested(
    'TC_M_03',
    'installs a V2G root certificate',
    boots(),
    installs('V2GRoot', 'V2GRootCertificate'),
    lists(['V2GRootCertificate'], ['V2GRootCertificate']),
  ),
  tested(
    'TC_M_04',
    'installs a root certificate of a mobility operator',
    boots(),
    installs('MORoot', 'MORootCertificate'),
    lists(['MORootCertificate'], ['MORootCertificate']),
  ),
  tested(
    'TC_M_24',
    'returns the OCSP answer of a certificate whose issuer the network trusts',
    boots(),
    sends(
      'GetCertificateStatus',
      { ocspRequestData: '$ocspRequestData' },
      { status: 'Accepted', ocspResult: /^MI/ },
    ),
    sends(
      'GetCertificateStatus',
      { ocspRequestData: '$unknownRequestData' },
      { status: 'Failed', ocspResult: undefined },
    ),
  ),
];
