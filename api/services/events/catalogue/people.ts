import { operatorRoles } from '#shared/domain/access/roles.ts';
import { idTokenTypes } from '#shared/domain/charging/session.ts';
import { type Entries, entry, flag, nullable, oneOf, uuid, version } from './entry.ts';

const token = {
  driverId: nullable(uuid('Driver. Null for a token without a driver.')),
  type: oneOf(idTokenTypes, 'Type of the token.'),
  isValid: flag('True when the token may charge.'),
  version,
};

const driver = { version };

const operator = {
  role: oneOf(operatorRoles, 'Role of the operator.'),
  isUnrestricted: flag('True when the operator has access to all networks.'),
  isDisabled: flag('True when the operator cannot log in.'),
  version,
};

const key = {
  family: oneOf(['cpms', 'emsp'], 'API family of the key.'),
  isUnrestricted: flag('True when the key has access to all networks.'),
};

/** Events of tokens, drivers, operators and API keys. */
export const peopleEvents = {
  'token.created': entry('The token.', 'A token was created.', token),
  'token.updated': entry('The token.', 'A token was changed.', token),
  'token.removed': entry('The token.', 'A token was invalidated for good.', token),
  'driver.created': entry('The driver.', 'A driver was created or registered.', driver),
  'driver.updated': entry('The driver.', 'The record of a driver was changed.', driver),
  'driver.removed': entry('The driver.', 'A driver was removed and its personal data erased.', driver),
  'operator.created': entry(
    'The operator.',
    'An operator account was created. One event in each network of the account.',
    operator,
  ),
  'operator.updated': entry(
    'The operator.',
    'An operator account was changed. One event in each network that the account has afterwards.',
    operator,
  ),
  'operator.removed': entry(
    'The operator.',
    'An operator account was removed. One event in each network of the account.',
    operator,
  ),
  'api_key.created': entry('The key.', 'An API key was created. One event in each network of the key.', key),
  'api_key.revoked': entry('The key.', 'An API key was revoked. One event in each network of the key.', key),
} satisfies Entries;
