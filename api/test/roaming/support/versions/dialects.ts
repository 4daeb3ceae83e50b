import * as asked from '#api/test/roaming/support/standard/asked.ts';
import * as charged from '#api/test/roaming/support/standard/charged.ts';
import * as locations from '#api/test/roaming/support/standard/locations.ts';
import * as registration from '#api/test/roaming/support/standard/registration.ts';
import type { Shape } from '#api/test/roaming/support/standard/shape.ts';
import * as shapes211 from './shapes-211.ts';
import * as shapes230 from './shapes-230.ts';

/** One version as its partners speak it: the classes of its standard, and the objects that a partner sends. */
export interface Dialect {
  version: string;
  shapes: {
    VersionDetails: Shape;
    Credentials: Shape;
    Location: Shape;
    Evse: Shape;
    Connector: Shape;
    Tariff: Shape;
    Session: Shape;
    Cdr: Shape;
    Token: Shape;
    CommandResponse: Shape;
    CommandResult: Shape;
  };
  /** Token of the party DE-EMS. */
  token: Record<string, unknown>;
}

const shapes221 = { ...asked, ...charged, ...locations, ...registration };

const token221 = {
  country_code: 'DE',
  party_id: 'EMS',
  uid: '012345678',
  type: 'RFID',
  contract_id: 'DE8ACC12E46L89',
  issuer: 'Example eMSP',
  valid: true,
  whitelist: 'ALLOWED',
  last_updated: '2026-01-01T00:00:00.000Z',
};

/** The versions whose surface follows their standard. */
export const dialects: Dialect[] = [
  {
    version: '2.1.1',
    shapes: shapes211,
    token: {
      uid: '012345678',
      type: 'RFID',
      auth_id: 'DE8ACC12E46L89',
      issuer: 'Example eMSP',
      valid: true,
      whitelist: 'ALLOWED',
      last_updated: '2026-01-01T00:00:00.000Z',
    },
  },
  { version: '2.2.1', shapes: shapes221, token: token221 },
  {
    version: '2.3.0',
    shapes: { ...shapes221, ...shapes230 },
    token: { ...token221, uid: 'DE-EMS-C12345678-9', type: 'EMAID' },
  },
];
