/**
 * The scopes of the operator API, version `/cpms/v1`: the one list that the catalog shows and the code enforces.
 * A read scope is granted by itself or by `cpms:read`; write scopes are off by default; command scopes are elevated.
 */
export const readScopes = [
  'cpms:read:api-keys',
  'cpms:read:chargers',
  'cpms:read:networks',
  'cpms:read:catalog',
  'cpms:read:locations',
  'cpms:read:ocpi-partners',
  'cpms:read:users',
  'cpms:read:id-tokens',
  'cpms:read:reservations',
  'cpms:read:charging-profiles',
  'cpms:read:device-data',
  'cpms:read:operators',
  'cpms:read:tariffs',
  'cpms:read:wallets',
  'cpms:read:invoices',
  'cpms:read:audit-log',
  'cpms:read:sessions',
  'cpms:read:alerts',
  'cpms:read:analytics',
  'cpms:read:events',
  'cpms:read:webhooks',
  'cpms:read:exports',
  'cpms:read:load-sites',
] as const;
export const writeScopes = [
  'cpms:write:api-keys',
  'cpms:write:chargers',
  'cpms:write:connectors',
  'cpms:write:networks',
  'cpms:write:catalog',
  'cpms:write:locations',
  'cpms:write:ocpi-partners',
  'cpms:write:users',
  'cpms:write:id-tokens',
  'cpms:write:operators',
  'cpms:write:tariffs',
  'cpms:write:sessions',
  'cpms:write:alerts',
  'cpms:write:webhooks',
  'cpms:write:exports',
  'cpms:write:load-sites',
  'cpms:write:load-meters',
] as const;
export const commandScopes = [
  'cpms:command:remote-start',
  'cpms:command:remote-stop',
  'cpms:command:reboot',
  'cpms:command:trigger-message',
  'cpms:command:unlock-connector',
  'cpms:command:change-availability',
  'cpms:command:configuration',
  'cpms:command:variables',
  'cpms:command:firmware',
  'cpms:command:ocpp',
  'cpms:command:rotate-password',
  'cpms:command:reservation',
  'cpms:command:charging-profile',
  'cpms:command:local-list',
  'cpms:command:certificates',
  'cpms:command:billing',
] as const;

/** Grants every read scope. */
export const readAllScope = 'cpms:read';

export type Scope = (typeof readScopes | typeof writeScopes | typeof commandScopes)[number];

/** Every scope that a key may carry. */
export const grantableScopes: readonly string[] = [
  readAllScope,
  ...readScopes,
  ...writeScopes,
  ...commandScopes,
];

/** Returns whether the scopes of a key cover the scope that an endpoint requires. */
export function grants(granted: readonly string[], wanted: Scope): boolean {
  if (granted.includes(wanted)) return true;
  return wanted.startsWith(`${readAllScope}:`) && granted.includes(readAllScope);
}
