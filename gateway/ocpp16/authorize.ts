import type { AuthorizeRequest } from '#shared/domain/commands/charger-messages.ts';
import type { Authorization } from '#shared/domain/charging/session.ts';
import type { RequestOf, ResponseOf } from '#shared/ocpp/validators.ts';
import { idTagInfo } from './id-tag-info.ts';

/** OCPP 1.6 §4.1 */
export function message(request: RequestOf<'1.6', 'Authorize'>): AuthorizeRequest {
  return { idToken: request.idTag, contract: null };
}

export function response(answer: Authorization): ResponseOf<'1.6', 'Authorize'> {
  return { idTagInfo: idTagInfo(answer) };
}
