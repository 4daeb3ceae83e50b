import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { Envelope, success, Deleted, deletion } from '#api/routes/cpms/kernel/envelope.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  DateTime,
  Formed,
  idParams,
  isoOrNull,
  Named,
  Nullable,
  OneOf,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  addMeterKey,
  deleteMeterKey,
  type MeterKey,
  readMeterKeys,
} from '#api/services/fleet/meter-keys.service.ts';

const MeterKeyView = Named('MeterKey', {
  id: Uuid('Key identifier.'),
  connectorId: Nullable(Uuid('Connector of the meter. Null: the key is for every connector of the charger.')),
  status: OneOf(
    ['CLAIMED', 'REGISTERED'],
    'CLAIMED: the charger sent the key with a signed value. Nothing is verified with it before an operator ' +
      'registers it. REGISTERED: signed values are verified with it.',
  ),
  publicKey: Str(
    'SubjectPublicKeyInfo in DER, in hexadecimal, as transparency software reads it.',
    '3059301306072A8648CE3D020106082A8648CE3D03010703420004',
  ),
  curve: Str('Elliptic curve, by its name in OpenSSL.', 'prime256v1'),
  fingerprint: Str(
    'SHA-256 digest of the key in DER, in hexadecimal.',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
  createdAt: DateTime('Time the key was first received or registered.'),
  registeredAt: Nullable(DateTime('Time an operator registered the key. Null for a claimed key.')),
});

function view({ uuid, connectorUuid, status, createdAt, registeredAt, ...key }: MeterKey) {
  return {
    id: uuid,
    connectorId: connectorUuid,
    status: status as Static<typeof MeterKeyView>['status'],
    publicKey: key.publicKey,
    curve: key.curve,
    fingerprint: key.fingerprint,
    createdAt: createdAt.toISOString(),
    registeredAt: isoOrNull(registeredAt),
  };
}

const NewMeterKey = Closed({
  publicKey: Formed('ASCII text of at most 2,500 characters: one public key', '^[\\r\\n\\t -~]+$', {
    minLength: 1,
    maxLength: 2500,
    description:
      'Public key of an elliptic curve: PEM, or DER in hexadecimal or base64. A point without its curve is ' +
      'taken for one of P-192, P-256 or P-384; base32 is the form of Alfen.',
    examples: ['3059301306072A8648CE3D020106082A8648CE3D03010703420004'],
  }),
  connectorId: Type.Optional(
    Nullable(Uuid('Connector of the meter. Default: null, the key is for every connector of the charger.')),
  ),
});

const url = '/chargers/:uuid/meter-keys';
/** Registers the routes of the public keys of meters, which verify signed meter values. */
export function meterKeyRoutes(app: App, deps: ApiDeps): void {
  operation(app, `GET ${url}`, 'cpms:read:chargers', {
    operationId: 'listMeterKeys',
    summary: 'List the public keys of the meters of a charger',
    description:
      'Keys verify the signed meter values of the charger. A key that the charger reported applies after an ' +
      'operator accepted it.',
    params: idParams('Charger'),
    response: {
      200: Envelope(Type.Array(MeterKeyView), 'The keys, oldest first. At most 50 of each status.'),
      ...cpmsErrors('CHARGER_NOT_FOUND'),
    },
    handler: async (request) => {
      const keys = await readMeterKeys(deps, callerOf(request), request.params.uuid);
      return success(keys.map(view));
    },
  });

  operation(app, `POST ${url}`, 'cpms:write:chargers', {
    operationId: 'registerMeterKey',
    summary: 'Register the public key of a meter',
    description:
      'Signed meter values of the charger are verified with the key from then on. All sessions with ' +
      'values that no key verified are checked again, the newest 200 at once and the others within minutes; their settled prices ' +
      'stay as they are. Compare the key with the label of the meter before.',
    params: idParams('Charger'),
    body: NewMeterKey,
    response: {
      201: Envelope(MeterKeyView, 'The registered key.'),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'CONNECTOR_NOT_FOUND', 'METER_KEY_EXISTS'),
    },
    handler: async (request, reply) => {
      const { publicKey, connectorId = null } = request.body;
      const key = await addMeterKey(deps, actorOf(request), request.params.uuid, {
        publicKey,
        connectorUuid: connectorId,
      });
      return reply.code(201).send(success(view(key)));
    },
  });

  operation(app, `DELETE ${url}/:id`, 'cpms:write:chargers', {
    operationId: 'removeMeterKey',
    summary: 'Remove the public key of a meter',
    description: 'Values that the key verified stay verified.',
    params: Type.Object({ uuid: Uuid('Charger identifier.'), id: Uuid('Key identifier.') }),
    response: {
      200: Deleted('Key', 'The key verifies no further values.'),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'METER_KEY_NOT_FOUND'),
    },
    handler: async (request) => {
      const { uuid, id } = request.params;
      await deleteMeterKey(deps, actorOf(request), uuid, id);
      return deletion(id);
    },
  });
}
