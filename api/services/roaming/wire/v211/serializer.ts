import type { OcpiSerializer } from '#api/services/roaming/wire/serializer.ts';
import { v221 } from '#api/services/roaming/wire/v221/serializer.ts';
import { cdrObject } from './cdr.ts';
import { requestResult } from './command.ts';
import { answeredCredentials, credentialsView } from './credentials.ts';
import { connectorObject, evseObject, locationObject } from './location.ts';
import { sessionObject } from './session.ts';
import { tariffObject } from './tariff.ts';
import { sentToken, typeIn211 } from './token.ts';

/** Modules whose sender the other side is: 2.1.1 has no roles of endpoints. */
const theirs: ReadonlySet<string> = new Set(['commands', 'tokens']);

/** OCPI 2.1.1: one party on each side, and the location in each session and CDR. */
export const v211: OcpiSerializer = {
  ...v221,
  location: locationObject,
  withdrawnLocation: null,
  evse: evseObject,
  connector: connectorObject,
  tariff: tariffObject,
  session: sessionObject,
  cdr: cdrObject,
  tokenType: typeIn211,
  requestResult,
  credentials: credentialsView,
  readCredentials: answeredCredentials,
  endpointRole: (identifier) => (theirs.has(identifier) ? 'SENDER' : 'RECEIVER'),
  readToken: sentToken,
};
