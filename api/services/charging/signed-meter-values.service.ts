import { DomainError } from '#shared/domain/kernel/errors.ts';
import { type SignedFormat, type SignedNature } from '#shared/domain/charging/signed-meter-value.ts';
import {
  listSignedValues,
  type StoredSignedValue,
} from '#shared/postgres/charging/signed-meter-values.statements.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { requireSession } from './sessions.service.ts';

/**
 * Returns the signed values of one of the caller's sessions in the XML format of the transparency software (S.A.F.E. e.V.), with the
 * keys that verified them. A claimed key is left out: the software would call a forged value with its own key valid.
 * @throws {DomainError} SESSION_NOT_FOUND, SIGNED_VALUES_NOT_FOUND.
 */
export async function signedValuesXml(
  deps: Pick<ServiceDeps, 'sql'>,
  caller: Caller,
  uuid: string,
): Promise<string> {
  const session = await requireSession(deps, caller, uuid);
  const values = session.signatureState === 'NONE' ? [] : await listSignedValues(deps.sql, session.id);
  if (values.length === 0) {
    throw new DomainError('SIGNED_VALUES_NOT_FOUND', `The session ${uuid} has no signed meter values.`);
  }
  const transaction = /^\d+$/.test(session.transactionId) ? session.transactionId : '1';
  const elements = values.map((value) => valueElement(transaction, value)).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<values>\n${elements}\n</values>\n`;
}

const contexts: Record<SignedNature, string> = {
  START: 'Transaction.Begin',
  INTERMEDIATE: 'Sample.Periodic',
  END: 'Transaction.End',
};

const formats: Record<SignedFormat, string> = {
  OCMF: ' format="OCMF"',
  ALFEN: ' format="ALFEN"',
  // The software finds the format out.
  OTHER: '',
};

function valueElement(transaction: string, { nature, format, data, publicKey }: StoredSignedValue): string {
  // A record of Alfen has its key inside, in a form of its own.
  const isSent = publicKey !== null && format !== 'ALFEN';
  const key = !isSent ? '' : `\n    <publicKey encoding="hex">${publicKey}</publicKey>`;
  return `  <value transactionId="${transaction}" context="${contexts[nature]}">
    <signedData${formats[format]} encoding="plain">${escaped(data)}</signedData>${key}
  </value>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

/** Escapes a text for an element, and leaves out the control characters that XML 1.0 does not have. */
function escaped(text: string): string {
  return text
    .replaceAll(/[&<>\r]/g, (character) => entities[character] ?? '')
    .replaceAll(/[^\t\n -\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
}
