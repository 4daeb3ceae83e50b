import { type ConnectorCapability, connectorFormats, powerTypes } from '#shared/domain/fleet/ocpi-evse.ts';
import { changedFields } from '../../../api/changed-fields.ts';
import type { Schemas } from '../../../api/client.ts';
import { numberOf, textOf } from '../../../texts/numbers.ts';

type Connector = Schemas['Connector'];
type Change = Schemas['UpdateConnectorRequest'];

/** Choice for what is not known. */
const unknown = 'UNKNOWN' as const;

export const formats = [unknown, ...connectorFormats] as const;
export const powerChoices = [unknown, ...powerTypes] as const;

/** Limits of a connector, each a number with its unit. */
export const limits = ['maxPower', 'maxVoltage', 'maxAmperage'] as const;
type Limit = (typeof limits)[number];

/** Connector in a form. Numbers are texts, as they are typed. */
export interface ConnectorDraft extends Record<Limit, string> {
  standard: string | null;
  format: (typeof formats)[number];
  powerType: (typeof powerChoices)[number];
  termsAndConditions: string;
  capabilities: readonly ConnectorCapability[];
}

export const connectorDraftOf = (connector: Connector): ConnectorDraft => ({
  standard: connector.standard,
  format: formats.find((format) => format === connector.format) ?? unknown,
  powerType: powerChoices.find((type) => type === connector.powerType) ?? unknown,
  maxPower: textOf(connector.maxPowerKw),
  maxVoltage: textOf(connector.maxVoltage),
  maxAmperage: textOf(connector.maxAmperage),
  termsAndConditions: connector.termsAndConditions ?? '',
  capabilities: connector.capabilities,
});

/** Returns whether the text of a limit is empty or a number. */
export const isLimit = (text: string): boolean => numberOf(text) !== undefined;

function bodyOf(draft: ConnectorDraft): Required<Change> {
  const terms = draft.termsAndConditions.trim();
  return {
    standard: draft.standard,
    format: draft.format === unknown ? null : draft.format,
    powerType: draft.powerType === unknown ? null : draft.powerType,
    maxPower: numberOf(draft.maxPower) ?? null,
    maxVoltage: numberOf(draft.maxVoltage) ?? null,
    maxAmperage: numberOf(draft.maxAmperage) ?? null,
    termsAndConditions: terms === '' ? null : terms,
    capabilities: [...draft.capabilities],
  };
}

/** Returns the fields that were changed. */
export const connectorChange = (before: ConnectorDraft, after: ConnectorDraft): Change =>
  changedFields(bodyOf(before), bodyOf(after));
