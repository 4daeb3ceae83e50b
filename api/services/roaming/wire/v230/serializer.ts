import type { OcpiSerializer } from '#api/services/roaming/wire/serializer.ts';
import { v221 } from '#api/services/roaming/wire/v221/serializer.ts';
import { cdrObject } from './cdr.ts';
import { connectorObject, evseObject, locationObject } from './location.ts';
import { sessionObject } from './session.ts';
import { tariffObject } from './tariff.ts';
import { sentToken, unknownType } from './token.ts';

/** OCPI 2.3.0: 2.2.1 with taxes, more fields of locations, and more types of connectors and tokens. */
export const v230: OcpiSerializer = {
  ...v221,
  location: locationObject,
  evse: evseObject,
  connector: connectorObject,
  tariff: tariffObject,
  session: sessionObject,
  cdr: cdrObject,
  tokenType: ({ type }) => type,
  unknownType,
  readToken: sentToken,
};
