import { numberOf } from '../../texts/numbers.ts';
import type { Partner } from './roaming-queries.ts';

/** Choice for a partner that is no hub. */
export const noHub = 'NONE' as const;

/** Choices of the parties that a partner speaks for. */
export const hubChoices = [noHub, 'LISTED', 'ANY'] as const;
export type HubChoice = (typeof hubChoices)[number];

/** Returns a choice of parties as requests have it. */
export const hubPartiesOf = (choice: HubChoice): Partner['hubParties'] => (choice === noHub ? null : choice);

/** Maximum values that the API accepts: of a 32-bit integer, and its own. */
export const maxRate = 2_147_483_647;
export const maxOrder = 1000;
export const maxTokenDays = 3650;

/** Returns a whole number from 1 on; null for no text, undefined for another text. */
export function countOf(text: string, maximum: number): number | null | undefined {
  const count = numberOf(text);
  return count === null || (Number.isInteger(count) && Number(count) >= 1 && Number(count) <= maximum)
    ? count
    : undefined;
}
