import type { ChargerCommand, CommandResult } from '#shared/domain/commands/commands.ts';

/** Statuses with which a charger reports that it took a value. */
const taken: ReadonlySet<string> = new Set(['Accepted', 'RebootRequired']);

/** Part of SetVariables of OCPP 2.0.1 that names a variable. */
interface NamedVariable {
  component: { name: string; instance?: string };
  variable: { name: string; instance?: string };
  attributeStatus?: string;
}

/** Returns the names of the settings that a command changed, as the API writes them: a key of 1.6, `Component.Variable` of 2.0.1. */
export function changedSettings(
  command: ChargerCommand,
  { accepted, variables, payload }: CommandResult,
): string[] {
  if (command.type === 'change-configuration') return accepted ? [command.key] : [];
  if (command.type === 'set-variables') {
    const changed = (variables ?? []).filter(({ status }) => taken.has(status));
    return unique(changed.map(({ component, variable }) => `${component}.${variable}`));
  }
  if (command.type !== 'ocpp') return [];
  if (command.action === 'ChangeConfiguration') {
    return accepted ? [(command.payload as { key: string }).key] : [];
  }
  if (command.action !== 'SetVariables') return [];
  const results = (payload as { setVariableResult?: NamedVariable[] } | null)?.setVariableResult ?? [];
  const changed = results.filter(({ attributeStatus = '' }) => taken.has(attributeStatus));
  return unique(changed.map(({ component, variable }) => `${component.name}.${variable.name}`));
}

function unique(keys: string[]): string[] {
  return [...new Set(keys)];
}
