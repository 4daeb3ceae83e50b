import { type Static, Type } from 'typebox';
import {
  Closed,
  DateTime,
  Flag,
  Formed,
  Integer,
  isoOrNull,
  Named,
  Nullable,
  OneOf,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import type { AlertRuleView } from '#api/services/fleet/alert-rules.service.ts';
import { alertKinds, alertSeverities } from '#shared/domain/fleet/alert.ts';
import { type AlertRecipient, type AlertRule, alertThresholds } from '#shared/domain/fleet/alert-rules.ts';
import { emailPattern } from '#shared/domain/people/email.ts';

export const Kind = OneOf(alertKinds, 'Kind of the alert.');

const Email = Formed('an e-mail address', emailPattern, {
  maxLength: 254,
  description: 'E-mail address.',
  examples: ['oncall@north.example'],
});

/** Languages of messages about alerts. */
export const languages = ['en', 'de', 'fr', 'nl'] as const;

const Recipient = Named('AlertRecipient', {
  operatorId: Nullable(Uuid('Operator to notify. Null for an address.')),
  email: Nullable(Str('E-mail address. Null for an operator.', 'oncall@north.example')),
  language: Nullable(OneOf(languages, 'Language of the e-mails. Null for the language of the network.')),
});

const NewRecipient = Closed({
  operatorId: Type.Optional(Nullable(Uuid('Operator to notify. Either this or `email` is required.'))),
  email: Type.Optional(Nullable(Email)),
  language: Type.Optional(
    Nullable(OneOf(languages, 'Language of the e-mails. Default: the language of the network.')),
  ),
});

const thresholdTexts: Record<keyof typeof alertThresholds, [description: string, example: number]> = {
  offlineMinutes: ['Minutes offline until the alert opens.', 15],
  offlineSharePercent: [
    'Share of the connected chargers of a location that go offline together, in percent.',
    50,
  ],
  offlineChargers: ['Minimum number of chargers of a location that go offline together.', 3],
  windowMinutes: ['Minutes within which chargers go offline together.', 5],
  withoutEnergyMinutes: ['Minutes that a session runs without energy until the alert opens.', 20],
  refusedStarts: ['Number of refused starts in a row.', 5],
  rejectedAttempts: ['Number of rejected connections for one reason.', 3],
  expiresInDays: ['Days before the expiry at which the alert opens.', 30],
  unreachableMinutes: ['Minutes that a partner is unreachable until the alert opens.', 15],
  spoolingMinutes: ['Minutes that readings wait on the disk of a gateway until the alert opens.', 1],
  clockOffMinutes: ['Minutes by which the clock of a charger is behind.', 10],
};

const thresholdFields = Object.fromEntries(
  Object.entries(alertThresholds).map(([name, bounds]) => {
    const [description, example] = thresholdTexts[name as keyof typeof alertThresholds];
    return [name, Type.Optional(Type.Integer({ ...bounds, description, examples: [example] }))];
  }),
) as Record<keyof typeof alertThresholds, ReturnType<typeof Type.Optional<ReturnType<typeof Type.Integer>>>>;

const Thresholds = Type.Object(thresholdFields, {
  additionalProperties: false,
  description: 'Thresholds of the kind. Kinds without a threshold have an empty object.',
});

const LocalTime = (description: string, example: string) =>
  Formed('a local time HH:MM', '^([01][0-9]|2[0-3]):[0-5][0-9]$', { description, examples: [example] });

const QuietHours = Type.Object(
  {
    from: LocalTime('Begin, in the time zone of the network.', '22:00'),
    to: LocalTime('End, in the time zone of the network. It may be on the next day.', '06:00'),
  },
  { additionalProperties: false, description: 'Daily period in which notices wait. Null for none.' },
);

const common = {
  enabled: Flag('True when alerts of the kind are opened.', true),
  severity: OneOf(alertSeverities, 'Severity of new alerts of the kind.'),
  thresholds: Thresholds,
  notify: Flag('True when alerts are sent to the recipients.', true),
  groupWindowSeconds: Integer(
    'Seconds in which alerts of the kind at one location join one notification.',
    120,
    { minimum: 0, maximum: 3600 },
  ),
  quietHours: Nullable(QuietHours),
  escalateAfterMinutes: Nullable(
    Integer('Minutes after which an unacknowledged notification escalates. Null: never.', 30, {
      minimum: 1,
      maximum: 10_080,
    }),
  ),
};

export const AlertRuleSchema = Named('AlertRule', {
  kind: Kind,
  networkId: Nullable(Integer('Integer identifier of the network. Null for the whole system.', 1)),
  isDefault: Flag('True if the rule was never changed.', false),
  ...common,
  recipients: Nullable(
    Type.Array(Recipient, {
      description: 'Recipients of notifications. Null for the owners and administrators of the network.',
    }),
  ),
  escalateTo: Type.Array(Recipient, { description: 'Recipients of an escalation.' }),
  updatedAt: Nullable(DateTime('Time of the latest change. Null for a default rule.')),
});

export const NewAlertRule = Type.Object(
  {
    enabled: Type.Optional(common.enabled),
    severity: Type.Optional(common.severity),
    thresholds: Type.Optional(common.thresholds),
    notify: Type.Optional(common.notify),
    groupWindowSeconds: Type.Optional(common.groupWindowSeconds),
    quietHours: Type.Optional(common.quietHours),
    escalateAfterMinutes: Type.Optional(common.escalateAfterMinutes),
    recipients: Type.Optional(
      Nullable(
        Type.Array(NewRecipient, {
          maxItems: 50,
          description:
            'Recipients of notifications. Null or absent: owners and administrators of the network. Empty: no recipients.',
        }),
      ),
    ),
    escalateTo: Type.Optional(
      Type.Array(NewRecipient, { maxItems: 50, description: 'Recipients of an escalation. Default: none.' }),
    ),
  },
  { additionalProperties: false, description: 'Settings of the rule. Missing settings get their defaults.' },
);

const recipientOf = ({
  operatorId = null,
  email = null,
  language = null,
}: Static<typeof NewRecipient>): AlertRecipient => ({ operatorId, email, language });

/** Returns the settings that a body gives. */
export function settingsOf(body: Static<typeof NewAlertRule>): Partial<AlertRule> {
  const { enabled, notify, recipients, escalateTo, ...settings } = body;
  return {
    ...settings,
    ...(enabled !== undefined && { isEnabled: enabled }),
    ...(notify !== undefined && { notifies: notify }),
    ...(recipients !== undefined && { recipients: recipients?.map(recipientOf) ?? null }),
    ...(escalateTo !== undefined && { escalateTo: escalateTo.map(recipientOf) }),
  };
}

const answerOf = (list: AlertRecipient[]) =>
  list.map(({ language, ...recipient }) => ({
    ...recipient,
    language: languages.find((known) => known === language) ?? null,
  }));

/** Returns a rule as the API shows it. */
export function ruleView(rule: AlertRuleView): Static<typeof AlertRuleSchema> {
  const { isEnabled, notifies, updatedAt, recipients, escalateTo, ...settings } = rule;
  return {
    ...settings,
    enabled: isEnabled,
    notify: notifies,
    recipients: recipients === null ? null : answerOf(recipients),
    escalateTo: answerOf(escalateTo),
    isDefault: updatedAt === null,
    updatedAt: isoOrNull(updatedAt),
  };
}
