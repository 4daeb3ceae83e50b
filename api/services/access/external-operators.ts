import type { JWTPayload } from 'jose';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { highestRole } from '#shared/domain/access/roles.ts';
import { type Transaction, violates } from '#shared/postgres/kernel/client.ts';
import { findNetworksNamed } from '#shared/postgres/fleet/networks.statements.ts';
import {
  findExternalOperator,
  findOperator,
  insertOperator,
  type OperatorDetails,
  type OperatorRecord,
  updateOperator,
} from '#shared/postgres/people/operators.statements.ts';
import { auditChange, auditedOperator } from './audit.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import type { ExternalIssuerSettings } from './external-issuer.ts';
import { hasSameAuthority, revokeExcessKeys } from './key-revocation.ts';
import { callerOfOperator, requireEnabled } from './operator-callers.ts';

/** Operator as described by an external issuer's claims. */
type ClaimedOperator = Omit<OperatorDetails, 'isDisabled'> & { subject: string };

/** In the claim of networks: all of them. */
const everyNetwork = '*';

/**
 * The account of an external operator as the claims of a good token tell it: made when it comes for the first time, and changed
 * when they changed. Role and networks are the issuer's to say; whether the account is disabled is ours.
 * @throws {DomainError} TOKEN_INVALID, OPERATOR_NOT_ALLOWED.
 */
export async function operatorOfClaims(
  deps: Pick<ServiceDeps, 'sql'>,
  settings: ExternalIssuerSettings,
  claims: JWTPayload,
  ipAddress: string,
): Promise<OperatorRecord> {
  const { sql } = deps;
  const claimed = await readClaims(deps, settings, claims);
  const known = await findExternalOperator(sql, settings.issuer, claimed.subject);
  if (known !== null) requireEnabled(known);
  if (known !== null && isSame(known, claimed)) return known;
  try {
    return await sql.begin(async (transaction) => {
      const { subject, ...details } = claimed;
      // An administrator can have disabled the account since it was read.
      if (known !== null) requireEnabled(await heldOperator(transaction, known.uuid));
      const after =
        known === null
          ? await insertOperator(transaction, {
              ...details,
              isDisabled: false,
              issuer: settings.issuer,
              subject,
            })
          : await updateOperator(transaction, known, { ...details, isDisabled: false });
      const by = { caller: callerOfOperator(after, null), ipAddress };
      if (known !== null && !hasSameAuthority(known, after)) {
        await revokeExcessKeys(transaction, by, known, after);
      }
      await auditChange(transaction, by, {
        ...auditedOperator(after, known === null ? 'create' : 'update'),
        before: known,
        after,
      });
      return after;
    });
  } catch (error) {
    if (!violates(error, 'operators_subject_key')) throw error;
    // Another request of the same operator made it meanwhile.
    return operatorOfClaims(deps, settings, claims, ipAddress);
  }
}

async function readClaims(
  { sql }: Pick<ServiceDeps, 'sql'>,
  { roleClaim, networksClaim }: ExternalIssuerSettings,
  claims: JWTPayload,
): Promise<ClaimedOperator> {
  const subject = textOf(claims.sub);
  // OpenID Connect Core §2: at most 255 characters.
  if (subject === null || subject.length > 255) {
    throw new DomainError('TOKEN_INVALID', 'The claim sub of this token cannot be read.');
  }
  const role = highestRole(wordsOf(claims, roleClaim));
  if (role === null) {
    throw new DomainError('OPERATOR_NOT_ALLOWED', `The claim ${roleClaim} of this token names no role.`);
  }
  const names = wordsOf(claims, networksClaim);
  const unrestricted = names.includes(everyNetwork);
  const networkIds = unrestricted ? [] : await findNetworksNamed(sql, names);
  if (!unrestricted && networkIds.length === 0) {
    throw new DomainError(
      'OPERATOR_NOT_ALLOWED',
      `The claim ${networksClaim} of this token names no network.`,
    );
  }
  const email = textOf(claims['email'])?.slice(0, 254) ?? null;
  const name = (textOf(claims['name']) ?? email ?? subject).slice(0, 100);
  return { subject, email, name, role, customRoleId: null, unrestricted, networkIds };
}

/** Returns the words of a claim: a text, or a list of texts. Its name can be a path with dots. */
function wordsOf(claims: JWTPayload, name: string): string[] {
  const value = name in claims ? claims[name] : name.split('.').reduce<unknown>(fieldOf, claims);
  return [value].flat().flatMap((word) => textOf(word) ?? []);
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** Text that may be stored and shown: on one line. */
function textOf(value: unknown): string | null {
  // oxlint-disable-next-line no-control-regex -- those it is about
  return typeof value === 'string' && /^[^\u0000-\u001f\u007f]+$/.test(value) ? value.toWellFormed() : null;
}

function isSame(known: OperatorRecord, claimed: ClaimedOperator): boolean {
  return (
    known.email === claimed.email &&
    known.name === claimed.name &&
    known.role === claimed.role &&
    known.unrestricted === claimed.unrestricted &&
    known.networkIds.join() === claimed.networkIds.join()
  );
}

/** Returns an operator and holds its row until the end of the transaction. */
async function heldOperator(transaction: Transaction, uuid: string): Promise<OperatorRecord> {
  const held = await findOperator(transaction, { all: true }, uuid, true);
  if (held === null) throw new DomainError('OPERATOR_NOT_ALLOWED', 'This account was removed.');
  return held;
}
