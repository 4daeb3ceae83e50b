import { type Static, Type } from 'typebox';
import {
  Closed,
  ConnectorNumber,
  DateTime,
  Flag,
  Formed,
  Integer,
  OneOf,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import { chargerFilters } from '#api/routes/cpms/kernel/charger-query.ts';
import type { BulkCommand } from '#api/services/commands/bulk-actions.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';
import { attributeTypes } from '#shared/domain/commands/commands.ts';
import { type BulkAction, bulkActionNames, maxBulkConcurrency } from '#shared/domain/commands/bulk-job.ts';

const Value = Formed('text of at most 1000 characters without NUL', '^[^\\u0000]*$', {
  maxLength: 1000,
  description: 'Value to set.',
  examples: ['60'],
});

const Setting = Closed({
  component: Text(50, 'Component of the device model.', 'OCPPCommCtrlr'),
  variable: Text(50, 'Variable of the component.', 'HeartbeatInterval'),
  attributeType: Type.Optional(OneOf(attributeTypes, 'Attribute of the variable. Default: Actual.')),
  value: Value,
});

const Parameters = Type.Object(
  {
    type: Type.Optional(OneOf(['Soft', 'Hard'], 'reboot: kind of restart. Default: Soft.')),
    requestedMessage: Type.Optional(
      Text(50, 'trigger-message: OCPP message to request.', 'StatusNotification'),
    ),
    availability: Type.Optional(
      OneOf(
        ['Operative', 'Inoperative'],
        'change-availability: Operative is in use, Inoperative out of use.',
      ),
    ),
    connectorNumber: Type.Optional({
      ...ConnectorNumber,
      description:
        'Connector number. Required for unlock-connector. Default for the other actions: the whole charger.',
    }),
    key: Type.Optional(Text(50, 'change-configuration: key to set.', 'HeartbeatInterval')),
    value: Type.Optional({ ...Value, description: 'change-configuration: value to set.' }),
    variables: Type.Optional(
      Type.Array(Setting, {
        minItems: 1,
        maxItems: 100,
        description: 'set-variables: variables of the station to set (OCPP 2.0.1).',
      }),
    ),
    firmwareVersionId: Type.Optional(
      Uuid('update-firmware: image of the catalog. Required unless `location` is given.'),
    ),
    location: Type.Optional(
      Text(
        512,
        'update-firmware: URL of the image: http, https, ftp or ftps.',
        'https://files.example.org/ep11-1.4.2.bin',
      ),
    ),
    retrieveDate: Type.Optional(DateTime('update-firmware: time to download the image. Default: at once.')),
    installDate: Type.Optional(
      DateTime('update-firmware: time to install the image. Default: after the download.'),
    ),
  },
  { additionalProperties: false, description: 'Parameters of the action. Others are rejected.' },
);

/** Body of a new bulk job. */
export const NewBulkJobBody = Type.Object(
  {
    action: OneOf(bulkActionNames, 'Command to send. Each requires the scope of its command.'),
    parameters: Type.Optional(Parameters),
    chargerUuids: Type.Optional(
      Type.Array(Uuid(), {
        minItems: 1,
        maxItems: 10_000,
        description: 'Chargers to command. Required unless `filter` is given.',
      }),
    ),
    filter: Type.Optional(
      Type.Object(chargerFilters, {
        additionalProperties: false,
        description: 'Filter of the list of chargers. The chargers are selected when the job is created.',
      }),
    ),
    dryRun: Type.Optional(Flag('True only counts the chargers.', false)),
    concurrency: Type.Optional(
      Integer('Maximum number of commands in progress at the same time.', 10, {
        minimum: 1,
        maximum: maxBulkConcurrency,
        default: 10,
      }),
    ),
    stopAfterFailures: Type.Optional(
      Integer(
        'Number of results rejected, failed, timed-out and unknown together that stops the job. Default: it never stops.',
        20,
        { minimum: 1, maximum: 1_000_000 },
      ),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ action: 'reboot', parameters: { type: 'Soft' }, filter: { state: 'faulted' } }],
  },
);

type Given = Static<typeof Parameters>;

/** Parameters that each action takes, and how they become its command. */
const commands: Record<BulkAction, { takes: (keyof Given)[]; build: (given: Given) => BulkCommand }> = {
  reboot: {
    takes: ['type'],
    build: ({ type = 'Soft' }) => ({ action: 'reboot', parameters: { kind: type } }),
  },
  'trigger-message': {
    takes: ['requestedMessage', 'connectorNumber'],
    build: ({ requestedMessage, connectorNumber = null }) => ({
      action: 'trigger-message',
      parameters: { requestedMessage: required('requestedMessage', requestedMessage), connectorNumber },
    }),
  },
  'change-availability': {
    takes: ['availability', 'connectorNumber'],
    build: ({ availability, connectorNumber = 0 }) => ({
      action: 'change-availability',
      parameters: { availability: required('availability', availability), connectorNumber },
    }),
  },
  'unlock-connector': {
    takes: ['connectorNumber'],
    build: ({ connectorNumber }) => ({
      action: 'unlock-connector',
      parameters: { connectorNumber: required('connectorNumber', connectorNumber) },
    }),
  },
  'change-configuration': {
    takes: ['key', 'value'],
    build: ({ key, value }) => ({
      action: 'change-configuration',
      parameters: { key: required('key', key), value: required('value', value) },
    }),
  },
  'set-variables': {
    takes: ['variables'],
    build: ({ variables }) => ({
      action: 'set-variables',
      parameters: {
        variables: required('variables', variables).map(({ attributeType = 'Actual', ...setting }) => ({
          ...setting,
          attributeType,
          componentInstance: null,
          evseId: null,
          connectorId: null,
          variableInstance: null,
        })),
      },
    }),
  },
  'update-firmware': {
    takes: ['firmwareVersionId', 'location', 'retrieveDate', 'installDate'],
    build: ({ firmwareVersionId, location, retrieveDate, installDate }) => {
      if ((firmwareVersionId === undefined) === (location === undefined)) {
        throw wrongField('parameters.location', 'or else firmwareVersionId is required: one of the two');
      }
      return {
        action: 'update-firmware',
        parameters: {
          firmwareVersionId: firmwareVersionId ?? null,
          location: location ?? null,
          retrieveAt: retrieveDate ?? null,
          installAt: installDate ?? null,
          retries: null,
          retryIntervalSeconds: null,
        },
      };
    },
  },
};

/**
 * Returns the command of an action with its parameters.
 * @throws {DomainError} VALIDATION_FAILED for a parameter that is missing, or that the action does not take.
 */
export function bulkCommandOf(action: BulkAction, given: Given = {}): BulkCommand {
  const { takes, build } = commands[action];
  const other = (Object.keys(given) as (keyof Given)[]).find((name) => !takes.includes(name));
  if (other !== undefined) throw wrongField(`parameters.${other}`, `is no parameter of ${action}`);
  return build(given);
}

function required<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw wrongField(`parameters.${name}`, 'is required');
  return value;
}
