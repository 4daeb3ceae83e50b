import type { Caller } from '#api/services/access/callers.ts';
import { requireUnlimited } from '#api/services/access/key-authority.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { PartnerWriteScope } from '#shared/domain/roaming/ocpi.ts';
import { grantsAny } from '#shared/domain/access/roles.ts';
import type { Scope } from '#shared/domain/access/scopes.ts';

/** Operator scopes behind the commands and charging profiles that every registered partner may send (OCPI 2.2.1 §13, §14). */
const partnerNeeds: readonly Scope[] = [
  'cpms:command:remote-start',
  'cpms:command:remote-stop',
  'cpms:command:unlock-connector',
  'cpms:command:reservation',
  'cpms:command:charging-profile',
];

/** Operator scopes behind what a partner may write. */
const writeNeeds: Record<PartnerWriteScope, readonly Scope[]> = {
  locations: ['cpms:write:locations', 'cpms:write:chargers', 'cpms:write:connectors'],
};

/**
 * Stops a caller from giving a partner more than the caller holds: its token sends commands to chargers, and has neither an
 * expiry nor allowed addresses.
 * @throws {DomainError} SCOPE_MISSING, KEY_LIMIT_EXCEEDED.
 */
export function requirePartnerGrant(caller: Caller, writeScopes: readonly PartnerWriteScope[]): void {
  requireUnlimited(caller, 'a roaming partner');
  const needs = [...partnerNeeds, ...writeScopes.flatMap((scope) => writeNeeds[scope])];
  const missing = needs.find((scope) => !grantsAny(caller.scopes, scope));
  if (missing === undefined) return;
  throw new DomainError(
    'SCOPE_MISSING',
    `You cannot give a roaming partner its rights: that takes ${missing}, which you do not have yourself.`,
    { scope: missing },
  );
}
