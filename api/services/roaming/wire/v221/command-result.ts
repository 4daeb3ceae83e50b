import type { ActiveChargingProfile } from '#shared/domain/roaming/ocpi-profile.ts';
import type { PartnerTask } from '#shared/domain/roaming/ocpi-command.ts';

/** A text in a language (OCPI 2.2.1 §16.1, DisplayText). */
interface DisplayText {
  language: string;
  text: string;
}

/** §16.1: at most 512 characters. */
export function displayTexts(text: string | null): DisplayText[] {
  return text === null ? [] : [{ language: 'en', text: text.slice(0, 512) }];
}

/**
 * Returns the body of a POST to a `response_url`: a CommandResult (§13.3.3), and of charging profiles an
 * ActiveChargingProfileResult, ChargingProfileResult or ClearProfileResult (§14.5.2–4).
 */
export function resultBody(
  {
    type,
    result,
    message,
    profile,
  }: {
    type: PartnerTask['type'];
    result: string;
    message: string | null;
    profile: ActiveChargingProfile | null;
  },
  about: 'result' | 'cancellation',
): object {
  if (about === 'cancellation') return { result: 'CANCELED_RESERVATION' };
  // A charging profile knows no TIMEOUT (§14.6.6): what did not come to be was not accepted.
  if (type.endsWith('_PROFILE')) {
    return { result: result === 'TIMEOUT' ? 'REJECTED' : result, ...(profile !== null && { profile }) };
  }
  return { result, ...(message !== null && { message: displayTexts(message) }) };
}
