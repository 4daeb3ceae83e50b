import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { Closed, DateTime, Formed, idParams, Str, Uuid } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  distrustCertificate,
  readTrustedCertificates,
  trustCertificate,
  type TrustedCertificate,
} from '#api/services/fleet/trusted-certificates.service.ts';
import { Deleted, deletion, Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';

const Trusted = Type.Object({
  id: Uuid('Certificate identifier.'),
  subject: Str('Subject of the certificate.'),
  validFrom: DateTime('Start of the validity.'),
  validTo: DateTime('End of the validity.'),
  fingerprint256: Str('SHA-256 fingerprint of the certificate.'),
  createdAt: DateTime('Time of creation.'),
  pem: Str('Certificate in PEM.'),
});

const NewTrusted = Closed({
  certificate: Formed(
    'ASCII text of at most 5,500 characters: one certificate of a certificate authority in PEM',
    '^[\\r\\n\\t -~]+$',
    {
      minLength: 1,
      maxLength: 5500,
      description: 'Certificate of a certificate authority in PEM.',
      examples: ['-----BEGIN CERTIFICATE-----\nMIIBdzCCAR2gAwIBAgIU\n-----END CERTIFICATE-----'],
    },
  ),
});

function view({ uuid, validFrom, validTo, createdAt, ...certificate }: TrustedCertificate) {
  return {
    ...certificate,
    id: uuid,
    validFrom: validFrom.toISOString(),
    validTo: validTo.toISOString(),
    createdAt: createdAt.toISOString(),
  };
}

const url = '/networks/:uuid/trusted-certificates';
/**
 * Registers the routes of certificate authorities that a network trusts for contract certificates (Plug and Charge).
 */
export function trustedCertificateRoutes(app: App, deps: ApiDeps): void {
  operation(app, `GET ${url}`, 'cpms:read:networks', {
    operationId: 'listTrustedCertificates',
    summary: 'List the trusted authorities for contract certificates',
    description:
      'V2G and mobility operator roots (ISO 15118 Plug and Charge), and sub-CAs that stations identify only by ' +
      'hash. Without any, no contract certificate is accepted.',
    params: idParams('Certificate'),
    response: {
      200: Envelope(Type.Array(Trusted), 'The certificates, oldest first. At most 100.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const trusted = await readTrustedCertificates(deps, callerOf(request), request.params.uuid);
      return success(trusted.map(view));
    },
  });

  operation(app, `POST ${url}`, 'cpms:write:networks', {
    operationId: 'trustCertificate',
    summary: 'Add a trusted authority for contract certificates',
    description:
      'Contract certificates of drivers (ISO 15118, Plug and Charge) that this authority issued are accepted ' +
      'at the chargers of the network.',
    params: idParams('Certificate'),
    body: NewTrusted,
    response: {
      201: Envelope(Trusted, 'The trusted certificate.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      const { certificate } = request.body;
      const trusted = await trustCertificate(deps, actorOf(request), request.params.uuid, certificate);
      return reply.code(201).send(success(view(trusted)));
    },
  });

  operation(app, `DELETE ${url}/:id`, 'cpms:write:networks', {
    operationId: 'distrustCertificate',
    summary: 'Delete a trusted authority for contract certificates',
    description:
      'Contract certificates that this authority issued are refused from the next authorization on.',
    params: Type.Object({ uuid: Uuid('Certificate identifier.'), id: Uuid('Certificate identifier.') }),
    response: {
      200: Deleted('Certificate', 'The authority is no longer trusted.'),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'CERTIFICATE_NOT_FOUND'),
    },
    handler: async (request) => {
      const { uuid, id } = request.params;
      await distrustCertificate(deps, actorOf(request), uuid, id);
      return deletion(id);
    },
  });
}
