import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  DateTime,
  Formed,
  isoOrNull,
  Named,
  Nullable,
  OneOf,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import {
  deleteCertificate,
  type HeldCertificate,
  installCertificate,
  readCertificates,
} from '#api/services/commands/certificates.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { rootCertificateUses } from '#shared/domain/fleet/ocpp-version.ts';
import {
  chargerOf,
  commandAnswer,
  commandErrors,
  commandRequest,
  outcome,
} from '#api/routes/cpms/kernel/command-route.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';

const Certificate = Named('Certificate', {
  id: Uuid('Certificate identifier.'),
  certificateType: Str(
    "Kind of certificate, in the words of the charger's OCPP version.",
    'CSMSRootCertificate',
  ),
  subject: Nullable(Str('Subject of the certificate. Null when the certificate cannot be read.')),
  issuer: Nullable(
    Str('Issuer of the certificate. Null when the certificate cannot be read.', 'Harbour Charging'),
  ),
  validFrom: Nullable(DateTime('Start of the validity. Null when the certificate cannot be read.')),
  validTo: Nullable(DateTime('End of the validity. Null when the certificate cannot be read.')),
  fingerprint256: Nullable(
    Str('SHA-256 fingerprint of the certificate. Null when the certificate cannot be read.'),
  ),
  serialNumber: Str('Serial number, hexadecimal.', 'QUAY-1'),
  hashAlgorithm: Str('Hash algorithm of the certificate hashes (OCPP).'),
  issuerNameHash: Str("Hash of the issuer's name (OCPP)."),
  issuerKeyHash: Str("Hash of the issuer's public key (OCPP)."),
  installedAt: DateTime('Time the charger accepted the certificate.'),
  pem: Str('Certificate in PEM.'),
});

const NewCertificate = Closed({
  use: OneOf(rootCertificateUses, 'Use of the certificate. OCPP 1.6 supports the first two.'),
  certificate: Formed('ASCII text of at most 5,500 characters: one certificate in PEM', '^[\\r\\n\\t -~]+$', {
    minLength: 1,
    maxLength: 5500,
    description: 'Certificate in PEM.',
    examples: ['-----BEGIN CERTIFICATE-----\nMIIBdzCCAR2gAwIBAgIU\n-----END CERTIFICATE-----'],
  }),
});

function view({ record, read }: HeldCertificate) {
  return {
    id: record.uuid,
    certificateType: record.certificateType,
    subject: read?.subject ?? null,
    issuer: read?.issuer ?? null,
    validFrom: isoOrNull(read?.validFrom ?? null),
    validTo: isoOrNull(read?.validTo ?? null),
    fingerprint256: read?.fingerprint256 ?? null,
    serialNumber: record.serialNumber,
    hashAlgorithm: record.hashAlgorithm,
    issuerNameHash: record.issuerNameHash,
    issuerKeyHash: record.issuerKeyHash,
    installedAt: record.installedAt.toISOString(),
    pem: record.pem,
  };
}

const url = '/chargers/:chargerUuid/certificates';
const Answer = Named('CommandResult', commandAnswer);

/** Registers the routes of certificates on chargers. */
export function certificateRoutes(app: App, deps: ApiDeps): void {
  operation(app, `GET ${url}`, 'cpms:read:device-data', {
    ...commandRequest,
    operationId: 'listCertificates',
    summary: 'List the certificates that were installed on a charger',
    description:
      'Certificates of the charger as it listed or accepted them. No request is sent to the charger.',
    response: {
      200: Envelope(Type.Array(Certificate), 'The certificates, newest first. At most 1,000.'),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      return success((await readCertificates(deps, charger)).map(view));
    },
  });

  operation(app, `POST ${url}`, 'cpms:command:certificates', {
    ...commandRequest,
    operationId: 'installCertificate',
    summary: 'Install a root certificate on a charger',
    description:
      'The certificate is one PEM text and has not expired (400 otherwise). It is listed when the charger ' +
      'accepts it.',
    body: NewCertificate,
    response: { 200: Envelope(Answer, 'Answer of the charger.'), ...commandErrors() },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const { use, certificate } = request.body;
      const sent = await installCertificate(deps, actorOf(request), charger, { use, pem: certificate });
      return success({
        chargerId: charger.uuid,
        accepted: sent.accepted,
        message: outcome(sent, 'The charger installed the certificate.'),
      });
    },
  });

  operation(app, `DELETE ${url}/:uuid`, 'cpms:command:certificates', {
    ...commandRequest,
    params: Type.Object({
      chargerUuid: Uuid('Charger identifier.'),
      uuid: Uuid('Certificate identifier.'),
    }),
    operationId: 'deleteCertificate',
    summary: 'Delete a certificate from a charger',
    description:
      'The certificate is removed from the list when the charger accepts. One whose issuer is unknown here ' +
      'cannot be identified to the charger (409 CERTIFICATE_UNNAMED).',
    response: {
      200: Envelope(Answer, 'Answer of the charger.'),
      ...commandErrors('CERTIFICATE_NOT_FOUND', 'CERTIFICATE_UNNAMED'),
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const sent = await deleteCertificate(deps, actorOf(request), charger, request.params.uuid);
      return success({
        chargerId: charger.uuid,
        accepted: sent.accepted,
        message: outcome(sent, 'The charger deleted the certificate.'),
      });
    },
  });
}
