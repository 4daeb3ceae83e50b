import type { SettingResult, VariableSelector, VariableSetting } from '#shared/domain/commands/commands.ts';
import { listReportedSettings, type ReportedSetting } from '#shared/postgres/fleet/device-records.ts';
import { maskValue } from '#shared/domain/kernel/masking.ts';
import { featuresOf } from '#shared/domain/fleet/ocpp-version.ts';
import type { Actor } from '#api/services/access/audit.ts';
import { send, type SentCommand } from './send.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { featureProfilesKey, readFeatureProfiles } from '#shared/domain/fleet/evse-capabilities.ts';
import { recordFeatureProfiles } from '#shared/postgres/fleet/charger-state.statements.ts';

/**
 * Reads settings of a charger. Without keys: all of a charger of 1.6; of one of 2.0.1 those that it reported
 * (B07), or, before it did, those that the standard requires. Only a report says which settings of 2.0.1 are
 * read-only. Passwords and keys are write-only for chargers; those that report them all the same are masked. The feature profiles of
 * a charger of 1.6 are stored, because the capabilities of its EVSEs follow from them.
 */
export async function readConfiguration(
  deps: ServiceDeps,
  by: Actor,
  charger: ChargerRecord,
  keys: readonly string[],
): Promise<{ sent: SentCommand; known: SettingResult[]; unknownKeys: string[] }> {
  const features = featuresOf(charger.ocppVersion);
  const reported = features?.hasDeviceModel === true ? await listReportedSettings(deps.sql, charger.id) : [];
  const asked = keys.length === 0 ? reported.map(({ key }) => key) : keys;
  const sent = await send(deps, by, charger, { type: 'get-configuration', keys: asked });
  const profiles = sent.settings?.find(({ key }) => key === featureProfilesKey)?.value ?? null;
  if (features?.hasDeviceModel === false && profiles !== null) {
    await recordFeatureProfiles(deps.sql, charger.id, readFeatureProfiles(profiles));
  }
  const settings = (sent.settings ?? []).map((setting) => ({
    ...(maskValue(setting) as SettingResult),
    readonly: setting.readonly ?? readonlyIn(reported, setting.key),
  }));
  return {
    sent,
    known: settings.filter(({ status }) => !unknown.has(status)),
    unknownKeys: settings.filter(({ status }) => unknown.has(status)).map(({ key }) => key),
  };
}

/** Names of components and variables are compared without regard to case (identifierString). */
function readonlyIn(reported: readonly ReportedSetting[], key: string): boolean | null {
  return reported.find((known) => known.key.toLowerCase() === key.toLowerCase())?.readonly ?? null;
}

/** Statuses with which the versions report an unknown setting. */
const unknown = new Set(['UnknownKey', 'UnknownComponent', 'UnknownVariable']);

/** Changes one setting of a charger. */
export function changeConfiguration(
  deps: ServiceDeps,
  by: Actor,
  charger: ChargerRecord,
  setting: { key: string; value: string },
): Promise<SentCommand> {
  return send(deps, by, charger, { type: 'change-configuration', ...setting });
}

/**
 * Reads variables of a charger's device model; passwords and keys are masked.
 * @throws {DomainError} COMMAND_NOT_SUPPORTED: OCPP 1.6 has none; and what `send` throws.
 */
export async function getVariables(
  deps: ServiceDeps,
  by: Actor,
  charger: ChargerRecord,
  variables: readonly VariableSelector[],
): Promise<SentCommand> {
  const sent = await send(deps, by, charger, { type: 'get-variables', variables });
  return { ...sent, variables: maskValue(sent.variables) as SentCommand['variables'] };
}

/**
 * Sets variables of a charger's device model.
 * @throws {DomainError} as `getVariables` does.
 */
export function setVariables(
  deps: ServiceDeps,
  by: Actor,
  charger: ChargerRecord,
  variables: readonly VariableSetting[],
): Promise<SentCommand> {
  return send(deps, by, charger, { type: 'set-variables', variables });
}
