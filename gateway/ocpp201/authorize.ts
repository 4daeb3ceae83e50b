import type { Authorization } from '#shared/domain/session.ts';
import type { RequestOf, ResponseOf } from '#shared/ocpp/validators.ts';
import { idTokenInfo } from './id-token-info.ts';

/** OCPP 2.0.1 C01 */
export function message(request: RequestOf<'2.0.1', 'Authorize'>): string {
  return request.idToken.idToken;
}

export function response(answer: Authorization): ResponseOf<'2.0.1', 'Authorize'> {
  return { idTokenInfo: idTokenInfo(answer) };
}
