/**
 * Public types of events, `subject.what happened`, with the version of the schema of their data. A change that could
 * break a consumer is a new version. The schemas are in `api/services/events/catalogue/`.
 */
export const publicEventTypes = {
  'charger.registered': 1,
  'charger.updated': 1,
  'charger.removed': 1,
  'charger.connected': 1,
  'charger.disconnected': 1,
  'charger.booted': 1,
  'charger.status_changed': 1,
  'charger.firmware_changed': 1,
  'charger.configuration_changed': 1,
  'connection.rejected': 1,
  'connector.status_changed': 1,
  'connector.faulted': 1,
  'session.requested': 1,
  'session.started': 1,
  'session.updated': 1,
  'session.idle': 1,
  'session.stopped': 1,
  'session.priced': 1,
  'session.amended': 1,
  'session.under_review': 1,
  'session.priority_charging_changed': 1,
  'location.created': 1,
  'location.updated': 1,
  'evse.created': 1,
  'evse.updated': 1,
  'tariff.created': 1,
  'tariff.updated': 1,
  'tariff_assignment.created': 1,
  'tariff_assignment.updated': 1,
  'token.created': 1,
  'token.updated': 1,
  'token.removed': 1,
  'driver.created': 1,
  'driver.updated': 1,
  'driver.removed': 1,
  'wallet.created': 1,
  'wallet.changed': 1,
  'payment.created': 1,
  'payment.succeeded': 1,
  'payment.failed': 1,
  'payment.refunded': 1,
  'invoice.created': 1,
  'reservation.created': 1,
  'reservation.updated': 1,
  'reservation.ended': 1,
  'partner.created': 1,
  'partner.updated': 1,
  'partner.removed': 1,
  'cdr.created': 1,
  'command.completed': 1,
  'alert.raised': 1,
  'alert.acknowledged': 1,
  'alert.cleared': 1,
  'api_key.created': 1,
  'api_key.revoked': 1,
  'operator.created': 1,
  'operator.updated': 1,
  'operator.removed': 1,
} as const;

export type PublicEventType = keyof typeof publicEventTypes;

/** Public event, as it is stored. It has ids and states, never names or addresses. */
export interface PublicEvent {
  /** Identifier of the event, unique in the system. */
  id: bigint;
  /** Position in the order of reading, in which all readers see the events. */
  position: bigint;
  type: PublicEventType;
  /** Null for an event of the whole system, visible to unrestricted callers only. */
  networkId: number | null;
  networkUuid: string | null;
  subjectUuid: string;
  /** Charger that the event concerns, its present location, and the session, or null. */
  chargerUuid: string | null;
  /** OCPP identity of the charger, or null. */
  chargerUid: string | null;
  locationUuid: string | null;
  sessionUuid: string | null;
  /** Fields of the type, alongside the ids above. */
  data: Record<string, unknown>;
  occurredAt: Date;
}

/** Filter of events; a list without an entry, or undefined, matches everything. */
export interface EventFilter {
  types?: readonly PublicEventType[] | undefined;
  chargerUuid?: string | undefined;
  locationUuid?: string | undefined;
  sessionUuid?: string | undefined;
}

/** Returns true when a filter takes an event. */
export function takesEvent(filter: EventFilter, event: PublicEvent): boolean {
  const { types, chargerUuid, locationUuid, sessionUuid } = filter;
  return (
    (types === undefined || types.length === 0 || types.includes(event.type)) &&
    (chargerUuid === undefined || chargerUuid === event.chargerUuid) &&
    (locationUuid === undefined || locationUuid === event.locationUuid) &&
    (sessionUuid === undefined || sessionUuid === event.sessionUuid)
  );
}
