import { sessionStatuses } from '#shared/domain/charging/session.ts';
import { priceStates } from '#shared/pricing/price-state.ts';
import {
  type Entries,
  currency,
  entry,
  flag,
  integer,
  nullable,
  number,
  oneOf,
  time,
  uuid,
} from './entry.ts';

const subject = 'The session.';

const session = {
  connectorId: uuid('Connector of the session.'),
  status: oneOf(sessionStatuses, 'Status of the session.'),
  startedAt: time('Start, by the clock of the charger.'),
  endedAt: nullable(time('End, by the clock of the charger. Null while the session is running.')),
  energyWh: number('Energy, in Wh.', 12_500),
  powerW: nullable(number('Power, in W. Null before the first reading.', 7400)),
  costMinor: nullable(
    integer(
      'Price with VAT, in minor units of `currency`. Null until the session has ended and is priced: the price of a running session changes with each second, and `GET /cpms/v1/sessions/{uuid}` returns it.',
      1210,
    ),
  ),
  currency,
  priceState: oneOf(
    priceStates,
    'State of the price: OPEN while the session runs, PENDING while readings are missing, UNPRICED without a tariff, REVIEW, SETTLED.',
  ),
};

/** Events of sessions. */
export const chargingEvents = {
  'session.requested': entry(
    'The remote start; the session does not exist yet.',
    'A driver, an operator or a partner requested a session. A session that begins for it has an id of its own.',
    {
      evse: nullable(integer('Number of the EVSE at the charger. Null when the charger chooses it.', 1)),
      connectorId: nullable(uuid('Connector that the request occupies. Null when the charger chooses it.')),
      driverId: nullable(
        uuid('Driver that the request occupies. Null for a request of an operator or a partner.'),
      ),
      expiresAt: time('Time at which the request expires.'),
    },
  ),
  'session.started': entry(subject, 'A charger reported the start of a session.', session),
  'session.updated': entry(
    subject,
    'The session, its driver or its live values changed. Live values are an event once in each five minutes of the clock, for a session of a partner twice a minute.',
    session,
  ),
  'session.idle': entry(subject, 'The vehicle stopped charging, or the charger suspended it.', session),
  'session.stopped': entry(subject, 'A session ended.', session),
  'session.priced': entry(
    subject,
    'The price of a session was settled. Written after `session.stopped` when both happen at once.',
    session,
  ),
  'session.amended': entry(
    subject,
    'Start, end, energy or price of an ended session was corrected.',
    session,
  ),
  'session.under_review': entry(
    subject,
    'The values of an ended session are implausible, or a signature is not valid. Nothing is charged before an operator decides.',
    session,
  ),
  'session.priority_charging_changed': entry(
    subject,
    'Priority charging of a running session began or ended (OCPP 2.1).',
    { isActive: flag('True when the session charges with priority.') },
  ),
} satisfies Entries;
