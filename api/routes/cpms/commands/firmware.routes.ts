import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  DateTime,
  Flag,
  Integer,
  isoOrNull,
  Named,
  Nullable,
  OneOf,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { readLastFirmwareUpdate, updateFirmware } from '#api/services/commands/firmware.service.ts';
import {
  chargerOf,
  commandAnswer,
  commandErrors,
  commandRequest,
  outcome,
} from '#api/routes/cpms/kernel/command-route.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';

const Signing = Type.Object(
  {
    certificate: Str(
      'Certificate of the signature in PEM.',
      '-----BEGIN CERTIFICATE-----\nMIIBdzCCAR2gAwIBAgIU\n-----END CERTIFICATE-----',
      { minLength: 1, maxLength: 5500 },
    ),
    signature: Str('Signature of the image in base64.', 'MEUCIQDx0c2lnbmF0dXJl', {
      minLength: 1,
      maxLength: 800,
    }),
  },
  {
    additionalProperties: false,
    description:
      'Certificate and signature of a signed image. OCPP 1.6 receives them in SignedUpdateFirmware.',
  },
);

const Update = Closed({
  firmwareVersionId: Type.Optional(Uuid('Image of the catalog. Required unless `location` is given.')),
  location: Type.Optional(
    Text(512, 'URL of the image: http, https, ftp or ftps.', 'https://files.example.org/ep11-1.4.2.bin'),
  ),
  retrieveDate: Type.Optional(DateTime('Time to download the image. Default: at once.')),
  installDate: Type.Optional(DateTime('Time to install the image. Default: after the download.')),
  signing: Type.Optional(Signing),
  retries: Type.Optional(Integer('Number of further download attempts.', 3, { minimum: 0, maximum: 100 })),
  retryInterval: Type.Optional(
    Integer('Time between download attempts in seconds.', 60, { minimum: 0, maximum: 86_400 }),
  ),
});

const maskedLocation =
  'URL of the image. Its user name, password and secret parameters are shown as ***; the charger receives them.';

const Updating = Type.Object({
  ...commandAnswer,
  firmwareVersionId: Nullable(
    Uuid('Firmware image of the catalog. Null when the image is not in the catalog.'),
  ),
  firmwareVersion: Nullable(Str('Version of the image. Null when the image is not in the catalog.', '1.4.2')),
  location: Str(maskedLocation, 'https://files.example.org/ep11-1.4.2.bin'),
  checksum: Nullable(
    Str(
      'SHA-256 of an image of the catalog, hexadecimal. Null for other images.',
      '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    ),
  ),
  payload: Str('Answer of the charger as JSON text.'),
});

const LastUpdate = Named('FirmwareUpdate', {
  id: Uuid('Firmware update identifier.'),
  requestId: Nullable(Integer('Request number at the charger (OCPP 2.0.1, signed updates). Null otherwise.')),
  location: Str(maskedLocation, 'https://files.example.org/ep11-1.4.2.bin'),
  firmwareVersion: Nullable(Str('Version of the image. Null when the image is not in the catalog.', '1.4.2')),
  retrieveDate: Nullable(DateTime('Time the charger fetches the image. Null: at once.')),
  status: Str(
    'Status that the charger reported last. Requested before the first report. Installed also when the charger boots with the ' +
      'new version, or is Idle after Installing.',
    'Available',
  ),
  statusAt: DateTime('Time of the status.'),
  outcome: Nullable(OneOf(['succeeded', 'failed'], 'Outcome of the update. Null while it is in progress.')),
  requestedAt: DateTime('Time of the request.'),
});

const Status = Named('FirmwareStatus', {
  chargerId: Uuid('Charger identifier.'),
  currentFirmwareVersion: Nullable(
    Str('Firmware version that the charger reported last. Null before the first report.', '1.4.2'),
  ),
  ocppVersion: Nullable(Str('OCPP version of the latest connection. Null before the first one.', '1.6')),
  isOnline: Flag('True when the charger is connected and sent a message within the last 5 minutes.'),
  lastHeartbeat: Nullable(
    DateTime('Time of the latest message from the charger. Null before the first one.'),
  ),
  lastFirmwareUpdate: Type.Union([LastUpdate, Type.Null()], {
    description: 'Latest requested firmware update. Null if none was requested.',
  }),
});

/** Registers the routes of firmware updates. */
export function firmwareRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'POST /chargers/:chargerUuid/firmware/update', 'cpms:command:firmware', {
    ...commandRequest,
    operationId: 'updateFirmware',
    summary: 'Update the firmware of a charger',
    description: 'The image is one of the catalog, or at an http, https, ftp or ftps URL.',
    body: Update,
    response: {
      200: Envelope(Updating, 'Answer of the charger.'),
      ...commandErrors('FIRMWARE_NOT_FOUND', 'FIRMWARE_INCOMPLETE', 'FIRMWARE_MISMATCH'),
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const { location, image, sent } = await updateFirmware(
        deps,
        actorOf(request),
        charger,
        choiceOf(request.body),
      );
      return success({
        chargerId: charger.uuid,
        firmwareVersionId: image?.uuid ?? null,
        firmwareVersion: image?.version ?? null,
        location,
        checksum: image?.checksum ?? null,
        accepted: sent.accepted,
        payload: JSON.stringify(sent.payload),
        message: outcome(sent, 'The charger accepted; it reports its progress.'),
      });
    },
  });

  operation(app, 'GET /chargers/:chargerUuid/firmware/status', 'cpms:read:chargers', {
    ...commandRequest,
    operationId: 'readFirmwareStatus',
    summary: 'Get the firmware of a charger and its latest update',
    description:
      'The firmware version that the charger reported last, and the progress of the latest update. The ' +
      'charger receives no request.',
    response: {
      200: Envelope(Status, 'The firmware and its latest update.'),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const last = await readLastFirmwareUpdate(deps, charger);
      return success({
        chargerId: charger.uuid,
        currentFirmwareVersion: charger.firmwareVersion,
        ocppVersion: charger.ocppVersion,
        isOnline: charger.isOnline,
        lastHeartbeat: isoOrNull(charger.lastHeartbeat),
        lastFirmwareUpdate: last === null ? null : lastUpdate(last),
      });
    },
  });
}

function choiceOf(body: Static<typeof Update>): Parameters<typeof updateFirmware>[3] {
  return {
    firmwareVersionId: body.firmwareVersionId ?? null,
    location: body.location ?? null,
    retrieveAt: body.retrieveDate === undefined ? new Date() : new Date(body.retrieveDate),
    installAt: body.installDate === undefined ? null : new Date(body.installDate),
    signing: body.signing ?? null,
    retries: body.retries ?? null,
    retryIntervalSeconds: body.retryInterval ?? null,
  };
}

function lastUpdate(
  update: NonNullable<Awaited<ReturnType<typeof readLastFirmwareUpdate>>>,
): Static<typeof LastUpdate> {
  return {
    id: update.uuid,
    requestId: update.requestId,
    location: update.location,
    firmwareVersion: update.firmwareVersion,
    retrieveDate: isoOrNull(update.retrieveAt),
    status: update.status,
    statusAt: update.statusAt.toISOString(),
    outcome: update.outcome,
    requestedAt: update.requestedAt.toISOString(),
  };
}
