import type { Schemas } from '../../api/client.ts';
import { numberOf } from '../../texts/numbers.ts';

export type Network = Schemas['Network'];
type NetworkChange = Schemas['UpdateNetworkRequest'];
export type FieldName = keyof NetworkChange;

/**
 * Form of a field. `optional`: an empty one is null. `isOfInstallation`: callers restricted to networks read it only. `isOfAccounts`:
 * callers who may not change accounts read it only.
 */
interface Field {
  name: FieldName;
  kind: 'text' | 'lines' | 'number' | 'zone' | 'registration' | 'switch' | 'color';
  optional?: true;
  /** Upper-case letters, as codes have. */
  isCode?: true;
  isOfInstallation?: true;
  isOfAccounts?: true;
  maxLength?: number;
}

/** Sections of the form with their fields. */
export const sections: { id: 'general' | 'seller' | 'contact' | 'branding' | 'policies'; fields: Field[] }[] =
  [
    {
      id: 'general',
      fields: [
        { name: 'name', kind: 'text', maxLength: 100 },
        { name: 'timeZone', kind: 'zone' },
        { name: 'language', kind: 'text', maxLength: 16 },
        { name: 'countryCode', kind: 'text', isCode: true, maxLength: 2 },
        { name: 'partyId', kind: 'text', isCode: true, maxLength: 3 },
      ],
    },
    {
      id: 'seller',
      fields: [
        { name: 'legalName', kind: 'text', optional: true, maxLength: 200 },
        { name: 'vatNumber', kind: 'text', optional: true, maxLength: 32 },
        { name: 'postalAddress', kind: 'lines', optional: true, maxLength: 500 },
        { name: 'postalCode', kind: 'text', optional: true, maxLength: 20 },
        { name: 'city', kind: 'text', optional: true, maxLength: 100 },
        { name: 'country', kind: 'text', optional: true, isCode: true, maxLength: 2 },
        { name: 'iban', kind: 'text', optional: true, maxLength: 42 },
        { name: 'bic', kind: 'text', optional: true, isCode: true, maxLength: 11 },
        { name: 'bankAccount', kind: 'text', optional: true, maxLength: 100 },
        { name: 'paymentTermDays', kind: 'number' },
      ],
    },
    {
      id: 'contact',
      fields: [
        { name: 'website', kind: 'text', optional: true, maxLength: 500 },
        { name: 'chargingUrl', kind: 'text', optional: true, maxLength: 500 },
        { name: 'supportEmail', kind: 'text', optional: true, maxLength: 254 },
        { name: 'supportPhone', kind: 'text', optional: true, maxLength: 32 },
      ],
    },
    {
      id: 'branding',
      fields: [
        { name: 'logoUrl', kind: 'text', optional: true, maxLength: 500 },
        { name: 'primaryColor', kind: 'color', optional: true },
        { name: 'secondaryColor', kind: 'color', optional: true },
      ],
    },
    {
      id: 'policies',
      fields: [
        { name: 'minimumBalance', kind: 'number' },
        { name: 'personalDataDays', kind: 'number', optional: true },
        { name: 'rateLimitPerMinute', kind: 'number', optional: true, isOfInstallation: true },
        { name: 'newChargerRegistration', kind: 'registration' },
        { name: 'allowsUnauthenticatedChargers', kind: 'switch' },
        { name: 'requiresVerifiedEmail', kind: 'switch' },
        { name: 'requiresSecondFactor', kind: 'switch', isOfAccounts: true },
      ],
    },
  ];

const fields = sections.flatMap((section) => section.fields);

/** Fields that show their errors themselves. */
export const fieldNames = fields.map(({ name }) => name);

/** Values that were typed and not saved. */
export type Edits = { [Name in FieldName]?: string | boolean };

/** Returns the value of a field as it is edited. */
export function shownValue(network: Network, edits: Edits, name: FieldName): string | boolean {
  const value = edits[name] ?? network[name] ?? '';
  return typeof value === 'number' ? String(value) : value;
}

/** Returns the edits that differ from the network, in the form of the API. An invalid number is left out. */
export function changeOf(network: Network, edits: Edits): NetworkChange {
  const changed = fields.flatMap(({ name, kind, optional }): [FieldName, unknown][] => {
    const value = edits[name];
    if (value === undefined || value === shownValue(network, {}, name)) return [];
    if (kind === 'number') {
      const number = numberOf(String(value));
      return number === undefined || (number === null && optional !== true) ? [] : [[name, number]];
    }
    const text = typeof value === 'string' ? value.trim() : value;
    return [[name, optional === true && text === '' ? null : text]];
  });
  return Object.fromEntries(changed) as NetworkChange;
}

/** Returns the number fields whose text is no number. */
export function wrongNumbers(edits: Edits): FieldName[] {
  return fields.flatMap(({ name, kind, optional }) => {
    const value = edits[name];
    if (kind !== 'number' || typeof value !== 'string') return [];
    const number = numberOf(value);
    return number === undefined || (number === null && optional !== true) ? [name] : [];
  });
}
