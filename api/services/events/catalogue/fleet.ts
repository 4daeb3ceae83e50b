import { Type } from 'typebox';
import { commanderKinds } from '#shared/domain/commands/commands.ts';
import { connectorStatuses } from '#shared/domain/fleet/charger.ts';
import { ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import { rejectionReasons } from '#shared/domain/fleet/rejected-connection.ts';
import { registrations } from '#shared/domain/fleet/registration.ts';
import { alertKinds, alertResources, alertSeverities, alertStatuses } from '#shared/domain/fleet/alert.ts';
import { type Entries, entry, flag, integer, nullable, oneOf, text, time, uuid, version } from './entry.ts';

const charger = 'The charger.';

const record = {
  version,
  registration: oneOf(registrations, 'Registration of the charger.'),
  isPublic: flag('True when drivers of other networks may see the charger.'),
};

const chargerStatus = text(
  'Status of the charger, derived from its connectors or reported by the charger itself.',
  'Available',
);

const connectorStatus = {
  evse: integer('Number of the EVSE at the charger, starting at 1.', 1),
  connector: integer('Number of the connector at the charger, starting at 1.', 1),
  status: oneOf(connectorStatuses, 'Status of the connector.'),
  errorCode: nullable(text('Error code of OCPP 1.6. Null when none was reported.', 'GroundFailure')),
  vendorErrorCode: nullable(text("Manufacturer's error code. Null when none was reported.", 'E42')),
  reportedAt: time('Time of the status, by the clock of the charger.'),
};

const firmwareVersion = nullable(text('Firmware version of the charger. Null when unknown.', '1.4.2'));

const alert = {
  kind: oneOf(alertKinds, 'Condition.'),
  severity: oneOf(alertSeverities, 'Severity.'),
  status: oneOf(alertStatuses, 'Status of the alert.'),
  resourceType: oneOf(alertResources, 'Kind of the record that the alert is about.'),
};

const evse = {
  evse: integer('Number of the EVSE at the charger, starting at 1.', 1),
  version,
  isRemoved: flag('True when the EVSE was removed.'),
};

const location = {
  version,
  isPublished: flag('True when drivers and partners may see the location.'),
  isRemoved: flag('True when the location was removed.'),
};

/** Events of chargers, connectors, EVSEs, locations and alerts. */
export const fleetEvents = {
  'charger.registered': entry(charger, 'A charger was registered.', record),
  'charger.updated': entry(charger, 'The record or the registration of a charger was changed.', record),
  'charger.removed': entry(charger, 'A charger was removed.', record),
  'charger.connected': entry(
    charger,
    'A charger opened a socket and had none. A socket that replaces an open one writes no event.',
    { connectedAt: time('Time at which the socket was opened.') },
  ),
  'charger.disconnected': entry(
    charger,
    'The last socket of a charger was closed, or its gateway was lost.',
    {
      disconnectedAt: time('Time at which the socket was closed, or at which its gateway was last seen.'),
      reason: oneOf(
        ['closed', 'gateway-lost'],
        'closed: the socket was closed. gateway-lost: the gateway thread that held the socket died.',
      ),
    },
  ),
  'charger.booted': entry(charger, 'A charger sent a BootNotification.', {
    bootedAt: time('Time of the receipt of the BootNotification.'),
    reason: nullable(text('Reason of the boot (OCPP 2.0.1). Null when none was reported.', 'PowerUp')),
    firmwareVersion,
    ocppVersion: nullable(oneOf(ocppVersions, 'OCPP version of the connection.')),
  }),
  'charger.status_changed': entry(
    charger,
    'The status that follows from the connectors of a charger changed.',
    {
      status: chargerStatus,
      previousStatus: text('Status before the change.', 'UNKNOWN'),
    },
  ),
  'charger.firmware_changed': entry(
    charger,
    'A charger reported the progress of a firmware update, or booted with another firmware version.',
    {
      kind: nullable(
        oneOf(
          ['Update', 'Publish'],
          'Update, or publication to other chargers (OCPP 2.0.1). Null for a boot that completes no update.',
        ),
      ),
      requestId: nullable(integer('Number of the request. Null when none was reported.', 7)),
      status: nullable(
        text(
          'Status of the update; Installed after a boot that completes it. Null for another boot.',
          'Installed',
        ),
      ),
      outcome: nullable(
        oneOf(
          ['succeeded', 'failed'],
          'Outcome after this status. Null while the update continues, and for a boot that completes no update.',
        ),
      ),
      firmwareVersion,
    },
  ),
  'charger.configuration_changed': entry(
    charger,
    'A charger accepted a command that sets its configuration.',
    {
      keys: Type.Array(Type.String(), {
        description:
          'Names of the settings: a key of OCPP 1.6, `Component.Variable` of OCPP 2.0.1. Values are not part of the event.',
        examples: [['HeartbeatInterval']],
      }),
    },
  ),
  'connection.rejected': entry(
    'The rejected connections of one identity and reason.',
    'The gateway rejected the connection of a charger: the first time, and once in each hour in which it does so again. ' +
      'Only unrestricted callers see the event of an unknown identity.',
    {
      identity: text('Identity in the URL of the charger.', 'QUAY-1'),
      reason: oneOf(rejectionReasons, 'Reason of the rejection.'),
      attempts: integer('Number of attempts so far.', 12),
    },
  ),
  'connector.status_changed': entry(
    'The connector.',
    'A connector reported another status.',
    connectorStatus,
  ),
  'connector.faulted': entry(
    'The connector.',
    'A connector reported the status Faulted and had another. `connector.status_changed` precedes it.',
    connectorStatus,
  ),
  'evse.created': entry(
    'The charger, of which `evse` is the EVSE.',
    'An EVSE was created with its first connector.',
    evse,
  ),
  'evse.updated': entry(
    'The charger, of which `evse` is the EVSE.',
    'The record of an EVSE or of its connectors was changed or removed. A change of status writes none.',
    evse,
  ),
  'location.created': entry('The location.', 'A location was created.', location),
  'location.updated': entry(
    'The location.',
    'The record of a location was changed, or the location was removed.',
    location,
  ),
  'alert.raised': entry('The alert.', 'A condition began that needs an operator.', alert),
  'alert.acknowledged': entry('The alert.', 'An operator acknowledged an alert.', alert),
  'alert.cleared': entry(
    'The alert.',
    'The condition of an alert is over, or an operator resolved the alert.',
    alert,
  ),
} satisfies Entries;

/** Events of commands to chargers. */
export const commandEvents = {
  'command.completed': entry(
    'The command; it has no record.',
    'A charger answered a command, or the command failed. Commands of operators, partners and the product itself.',
    {
      action: text('Name of the command, or its OCPP action.', 'reset'),
      outcome: oneOf(
        ['accepted', 'rejected', 'failed'],
        'accepted, rejected: answer of the charger. failed: no answer, or an error.',
      ),
      status: nullable(
        text('Status in the answer of the charger. Null when the answer has none.', 'Accepted'),
      ),
      errorCode: nullable(text('Code of the error. Null unless the command failed.', 'CHARGER_OFFLINE')),
      evse: nullable(integer('Number of the EVSE at the charger. Null for the whole charger.', 1)),
      connector: nullable(integer('Number of the connector at the EVSE. Null for the whole charger.', 1)),
      by: oneOf(commanderKinds, 'Kind of originator of the command. system: the product itself.'),
      operatorId: nullable(uuid('Operator who sent the command. Null for another originator.')),
    },
  ),
  'reservation.created': entry('The reservation.', 'A charger accepted a reservation.', reservation()),
  'reservation.updated': entry(
    'The reservation.',
    'A charger accepted a reservation that replaces an earlier one.',
    reservation(),
  ),
  'reservation.ended': entry(
    'The reservation.',
    'A reservation was used, cancelled or removed, or its time is over.',
    reservation(),
  ),
} satisfies Entries;

function reservation() {
  return {
    status: oneOf(['Active', 'Used', 'Cancelled', 'Expired', 'Removed'], 'Status of the reservation.'),
    evse: nullable(integer('Number of the EVSE at the charger. Null: any.', 1)),
    expiresAt: time('Time at which the reservation ends.'),
  };
}
