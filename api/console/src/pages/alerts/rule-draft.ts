import type { Schemas } from '../../api/client.ts';
import type { en } from '../../texts/english.ts';
import { numberOf } from '../../texts/numbers.ts';

type Rule = Schemas['AlertRule'];
type Recipient = Schemas['AlertRecipient'];
export type Threshold = keyof (typeof en)['alerts']['threshold'];

/** Rule that is being edited, as its inputs hold it. */
export interface RuleDraft {
  enabled: boolean;
  severity: Rule['severity'];
  thresholds: [name: Threshold, value: string][];
  notify: boolean;
  group: string;
  quietFrom: string;
  quietTo: string;
  escalate: string;
  recipients: 'owners' | 'addresses';
  addresses: string;
  escalateTo: string;
}

/** Returns the thresholds that a rule has. */
export const thresholdsOf = ({ thresholds }: Rule) => Object.entries(thresholds) as [Threshold, number][];

const addressesOf = (recipients: readonly Recipient[] | null) =>
  (recipients ?? []).flatMap(({ email }) => (email === null ? [] : [email])).join('\n');

/** Returns the recipients that are operators, which the inputs leave as they are. */
export const operatorsOf = (recipients: readonly Recipient[] | null) =>
  (recipients ?? []).filter(({ operatorId }) => operatorId !== null);

export function draftOf(rule: Rule): RuleDraft {
  return {
    enabled: rule.enabled,
    severity: rule.severity,
    thresholds: thresholdsOf(rule).map(([name, value]) => [name, String(value)]),
    notify: rule.notify,
    group: String(rule.groupWindowSeconds),
    quietFrom: rule.quietHours?.from ?? '',
    quietTo: rule.quietHours?.to ?? '',
    escalate: rule.escalateAfterMinutes === null ? '' : String(rule.escalateAfterMinutes),
    recipients: rule.recipients === null ? 'owners' : 'addresses',
    addresses: addressesOf(rule.recipients),
    escalateTo: addressesOf(rule.escalateTo),
  };
}

/** Returns the recipients of a text with an address in each line. The language of a known address stays. */
function recipientsOf(text: string, before: readonly Recipient[] | null): Recipient[] {
  const addresses = text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const languageOf = (address: string) => before?.find(({ email }) => email === address)?.language ?? null;
  return [
    ...operatorsOf(before),
    ...addresses.map((email) => ({ operatorId: null, email, language: languageOf(email) })),
  ];
}

/** Inputs of a rule that are no numbers. */
export type WrongNumber = Threshold | 'group' | 'escalate';

/** Returns the inputs that are no numbers. JSON has no such values: they would reach the API as null. */
export function wrongNumbers(draft: RuleDraft): Set<WrongNumber> {
  const required: [WrongNumber, string][] = [...draft.thresholds, ['group', draft.group]];
  const wrong = required.filter(([, text]) => typeof numberOf(text) !== 'number').map(([name]) => name);
  return new Set(numberOf(draft.escalate) === undefined ? [...wrong, 'escalate'] : wrong);
}

/** Returns the settings for the API, of a draft without wrong numbers. */
export function settingsOf(draft: RuleDraft, rule: Rule) {
  return {
    enabled: draft.enabled,
    severity: draft.severity,
    thresholds: Object.fromEntries(
      draft.thresholds.map(([name, value]) => [name, numberOf(value) ?? Number.NaN]),
    ),
    notify: draft.notify,
    groupWindowSeconds: numberOf(draft.group) ?? Number.NaN,
    quietHours:
      draft.quietFrom === '' && draft.quietTo === '' ? null : { from: draft.quietFrom, to: draft.quietTo },
    escalateAfterMinutes: numberOf(draft.escalate) ?? null,
    recipients: draft.recipients === 'owners' ? null : recipientsOf(draft.addresses, rule.recipients),
    escalateTo: recipientsOf(draft.escalateTo, rule.escalateTo),
  };
}
