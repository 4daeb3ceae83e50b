import type { OcpiSerializer } from '#api/services/roaming/wire/serializer.ts';
import { resultBody } from './command-result.ts';
import { connectorObject } from './connector.ts';
import { answeredCredentials, credentialsView } from './credentials.ts';
import { evseObject } from './evse.ts';
import { locationObject } from './location.ts';
import { sessionObject } from './session.ts';
import { tariffObject } from './tariff.ts';
import { sentToken } from './token.ts';
import { sentCdr } from './cdr.ts';
import { typeWithoutEmaid } from '#shared/domain/roaming/roaming.ts';

/** OCPI 2.2.1, the form in which CDRs are stored. */
export const v221: OcpiSerializer = {
  location: locationObject,
  evse: evseObject,
  connector: connectorObject,
  tariff: tariffObject,
  session: sessionObject,
  cdr: sentCdr,
  withdrawnLocation: (at) => ({ publish: false, last_updated: at.toISOString() }),
  tokenType: ({ type }) => typeWithoutEmaid(type),
  unknownType: () => 'RFID',
  requestResult: resultBody,
  credentials: (credentials) => credentialsView('2.2.1', credentials),
  // A party that names no role means its own side of the module: the one that we are not.
  endpointRole: (_identifier, listed) => listed ?? 'RECEIVER',
  readCredentials: answeredCredentials,
  readToken: sentToken,
};
