import { ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import type { Readable } from 'node:stream';
import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  DateTime,
  Flag,
  Formed,
  idParams,
  Integer,
  isoOrNull,
  Lines,
  Named,
  Nullable,
  OneOf,
  pageOf,
  pageQuery,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  announceFirmwareImage,
  deleteFirmwareImage,
  type FirmwareImage,
  listModelFirmware,
  readFirmwareImage,
  uploadFirmwareImage,
} from '#api/services/commands/firmware-images.service.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  Envelope,
  PagedEnvelope,
  success,
  successPage,
  Deleted,
  deletion,
} from '#api/routes/cpms/kernel/envelope.ts';

const FileName = Formed(
  '1 to 100 letters, digits, dots, dashes and underscores, not beginning with a dot',
  '^(?!\\.)[A-Za-z0-9._-]+$',
  {
    minLength: 1,
    maxLength: 100,
    description: 'File name of the image: the end of its URL.',
    examples: ['ep11-1.4.2.bin'],
  },
);

const anyVersion = `(?:${ocppVersions.map((version) => version.replaceAll('.', '\\.')).join('|')})`;

const OcppVersions = Formed(
  `OCPP versions, separated by commas: ${ocppVersions.join(', ')}, each at most once`,
  `^(?!(?:.*,)?([^,]+),(?:.*,)?\\1(?:,|$))${anyVersion}(?:,${anyVersion})*$`,
  { description: 'OCPP versions of the image, separated by commas.', examples: ['1.6,2.0.1'] },
);

const Checksum = Formed('a SHA-256 as 64 hexadecimal digits in lower case', '^[0-9a-f]{64}$', {
  description: 'SHA-256 of the image, hexadecimal.',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
});

const NewImage = Closed({
  version: Text(50, 'Version of the firmware.', '1.4.2'),
  fileName: FileName,
  ocppVersionSupport: OcppVersions,
  releaseNotes: Type.Optional(Lines(10_000, 'Release notes.', 'Charges in frost again.')),
  releasedAt: Type.Optional(DateTime('Time of release. Default: now.')),
  checksum: Type.Optional(Checksum),
});

const imageStatuses = ['Complete', 'Pending'] as const;

const Image = Named('FirmwareImage', {
  id: Uuid('Firmware image identifier.'),
  version: Str('Version of the firmware.', '1.4.2'),
  fileName: Str('File name of the image.', 'ep11-1.4.2.bin'),
  fileUrl: Nullable(
    Str(
      'URL for chargers, with support for range requests. Null before the upload.',
      'https://charging.example.org/firmware/3f0a/ep11-1.4.2.bin',
    ),
  ),
  fileSizeBytes: Nullable(Integer('Size in bytes. Null before the upload.', 7340032)),
  releaseNotes: Nullable(Str('Release notes. Null if not set.', 'Charges in frost again.')),
  ocppVersionSupport: Str('OCPP versions of the image, separated by commas.', '1.6,2.0.1'),
  checksum: Nullable(
    Str(
      'SHA-256 of the image, hexadecimal. Null before the upload when none was given.',
      '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    ),
  ),
  isLatest: Flag('True for the newest uploaded release of its model.'),
  releasedAt: DateTime('Time of release.'),
  createdAt: DateTime('Time of creation.'),
  modelId: Uuid('Charger model identifier.'),
  status: OneOf(imageStatuses, 'Status of the image. Pending: before the upload.'),
  uploadedAt: Nullable(DateTime('Time the bytes were received. Null before that.')),
});

function imageView(image: FirmwareImage): Static<typeof Image> {
  return {
    id: image.uuid,
    version: image.version,
    fileName: image.fileName,
    fileUrl: image.fileUrl,
    fileSizeBytes: image.sizeBytes === null ? null : Number(image.sizeBytes),
    releaseNotes: image.releaseNotes,
    ocppVersionSupport: image.ocppVersionSupport,
    checksum: image.checksum,
    isLatest: image.isLatest,
    releasedAt: image.releasedAt.toISOString(),
    createdAt: image.createdAt.toISOString(),
    modelId: image.modelUuid,
    status: image.uploadedAt === null ? 'Pending' : 'Complete',
    uploadedAt: isoOrNull(image.uploadedAt),
  };
}

/** Registers the routes of firmware images: created, then uploaded, then immutable. */
export function firmwareImageRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /charger-models/:modelId/firmware', 'cpms:read:catalog', {
    operationId: 'listFirmwareImages',
    summary: 'List the firmware images of a model, newest release first',
    description: 'Images are common to all networks. An image without content is not offered to chargers.',
    params: idParams('Charger model', 'modelId'),
    querystring: Type.Object({
      ...pageQuery,
      status: Type.Optional(OneOf(imageStatuses, 'Status to filter by. Default: Complete.')),
    }),
    response: { 200: PagedEnvelope(Image, 'One page of images.'), ...cpmsErrors('MODEL_NOT_FOUND') },
    handler: async (request) => {
      const page = pageOf(request.query);
      const isComplete = request.query.status !== 'Pending';
      const { rows, total } = await listModelFirmware(deps, request.params.modelId, isComplete, page);
      return successPage(rows.map(imageView), page, total);
    },
  });

  operation(app, 'POST /charger-models/:modelId/firmware', 'cpms:write:catalog', {
    operationId: 'createFirmwareImage',
    summary: 'Create a firmware image (unrestricted callers)',
    description: 'The bytes are uploaded with PUT /firmware-images/{id}/content.',
    params: idParams('Charger model', 'modelId'),
    body: NewImage,
    response: {
      201: Envelope(Image, 'The created image, before the upload.'),
      ...cpmsErrors('CATALOG_NOT_ALLOWED', 'MODEL_NOT_FOUND', 'FIRMWARE_EXISTS'),
    },
    handler: async (request, reply) => {
      const { releaseNotes = null, checksum = null, releasedAt, ...named } = request.body;
      const image = await announceFirmwareImage(deps, actorOf(request), request.params.modelId, {
        ...named,
        releaseNotes,
        checksum,
        releasedAt: releasedAt === undefined ? new Date() : new Date(releasedAt),
      });
      return reply.code(201).send(success(imageView(image)));
    },
  });

  operation(app, 'GET /firmware-images/:id', 'cpms:read:catalog', {
    operationId: 'getFirmwareImage',
    summary: 'Get a firmware image',
    description: '`fileUrl` is null until the content is uploaded. `fileSize` is in bytes.',
    params: idParams('Firmware image', 'id'),
    response: { 200: Envelope(Image, 'The image.'), ...cpmsErrors('FIRMWARE_NOT_FOUND') },
    handler: async (request) => success(imageView(await readFirmwareImage(deps, request.params.id))),
  });

  operation(app, 'DELETE /firmware-images/:id', 'cpms:write:catalog', {
    operationId: 'deleteFirmwareImage',
    summary: 'Delete a firmware image',
    description: 'Only unrestricted callers delete an image (403). Installed firmware is not affected.',
    params: idParams('Firmware image', 'id'),
    response: {
      200: Deleted('Firmware image', 'The image is deleted. Chargers cannot download it any more.'),
      ...cpmsErrors('CATALOG_NOT_ALLOWED', 'FIRMWARE_NOT_FOUND'),
    },
    handler: async (request) => {
      const { id } = request.params;
      await deleteFirmwareImage(deps, actorOf(request), id);
      return deletion(id);
    },
  });

  // Own scope: this path accepts only bytes, and no other path accepts them.
  app.register(async (bytes) => uploadRoute(bytes, deps));
}

function uploadRoute(app: App, deps: ApiDeps): void {
  app.removeAllContentTypeParsers();
  // The service writes the stream to disk chunk by chunk.
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
  app.addContentTypeParser('*', (_request, _payload, done) => done(notBytes()));
  app.route({
    method: 'PUT',
    url: '/firmware-images/:id/content',
    config: { scope: 'cpms:write:catalog', takesFile: true },
    schema: {
      operationId: 'uploadFirmwareImage',
      summary: 'Upload the bytes of a firmware image (unrestricted callers)',
      description:
        'At most FIRMWARE_MAX_BYTES, once. The upload completes the image, which never changes afterwards.',
      params: idParams('Firmware image', 'id'),
      body: Type.Unsafe<Readable | undefined>({
        content: {
          'application/octet-stream': {
            schema: { description: 'Bytes of the image.' },
          },
        },
      }),
      response: {
        200: Envelope(Image, 'The complete image.'),
        ...cpmsErrors(
          'CATALOG_NOT_ALLOWED',
          'FIRMWARE_NOT_FOUND',
          'FIRMWARE_COMPLETE',
          'CHECKSUM_MISMATCH',
          'BAD_REQUEST',
          'BODY_TOO_LARGE',
          'UNSUPPORTED_MEDIA_TYPE',
        ),
      },
    },
    handler: async (request, reply) => {
      const { body, headers } = request;
      if (body === undefined || body === null) throw notBytes();
      const length = headers['content-length'];
      const size = length === undefined ? null : Number(length);
      try {
        const image = await uploadFirmwareImage(deps, actorOf(request), request.params.id, body, size);
        return success(imageView(image));
      } catch (error) {
        // A body that is refused early is not read to its end: the connection closes with the response.
        reply.header('connection', 'close');
        throw error;
      }
    },
  });
}

function notBytes(): DomainError {
  return new DomainError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/octet-stream.');
}
