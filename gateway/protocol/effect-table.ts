import type { OcppVersion } from '#shared/domain/fleet/charger.ts';
import type { CommandEffect } from '#shared/domain/commands/command-effects.ts';
import { parseDateTime } from '#shared/domain/kernel/date-time.ts';
import type { CsmsActionOf } from '#shared/ocpp/actions.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';

/** For each action of a version that changes something: what its request changes. */
export type EffectTable<Version extends OcppVersion> = {
  [Action in CsmsActionOf<Version>]?: (request: RequestOf<Version, Action>) => CommandEffect | null;
};

/** Looks an action up in such a table. The request has passed its schema. */
export function effectsOf<Version extends OcppVersion>(table: EffectTable<Version>) {
  const effects = new Map(Object.entries(table)) as Map<string, (request: unknown) => CommandEffect | null>;
  return (action: string, request: unknown): CommandEffect | null => effects.get(action)?.(request) ?? null;
}

/** A time of a request that has passed its schema; null when it was left out. */
export function sentTime(text: string): Date;
export function sentTime(text: string | undefined): Date | null;
export function sentTime(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(parseDateTime(text) ?? Number.NaN);
}
