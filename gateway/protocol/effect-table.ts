import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { CommandEffect } from '#shared/domain/commands/command-effects.ts';
import { parseDateTime } from '#shared/domain/kernel/date-time.ts';
import type { CsmsActionOf } from '#shared/ocpp/actions.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';

/** Effect of each action of a version on stored data. */
export type EffectTable<Version extends OcppVersion> = {
  [Action in CsmsActionOf<Version>]?: (request: RequestOf<Version, Action>) => CommandEffect | null;
};

/** Returns the lookup of an action in such a table. The request must be valid. */
export function effectsOf<Version extends OcppVersion>(table: EffectTable<Version>) {
  const effects = new Map(Object.entries(table)) as Map<string, (request: unknown) => CommandEffect | null>;
  return (action: string, request: unknown): CommandEffect | null => effects.get(action)?.(request) ?? null;
}

/** Returns a time of a valid request, or null when it is absent. */
export function sentTime(text: string): Date;
export function sentTime(text: string | undefined): Date | null;
export function sentTime(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(parseDateTime(text) ?? Number.NaN);
}
