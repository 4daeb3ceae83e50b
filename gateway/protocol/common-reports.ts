import { type ChargerReport, logOutcome } from '#shared/domain/commands/charger-reports.ts';
import { chargerTime, type Receipt } from '#shared/domain/kernel/clock.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';

/** Report that all versions have; the security extension of 1.6 adopts messages of 2.0.1. */
type Common<Action extends 'LogStatusNotification' | 'SecurityEventNotification'> = RequestOf<
  OcppVersion,
  Action
>;

/** Translates a message without a meaning in the domain: stored as received, with its requestId and seqNo if it has them. */
export function notification(action: string) {
  return (payload: { requestId?: unknown; seqNo?: unknown } & object): ChargerReport => ({
    type: 'notification',
    action,
    requestId: numberOrNull(payload.requestId),
    part: numberOrNull(payload.seqNo),
    payload,
  });
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** OCPP 2.0.1 N01, and the security extension of 1.6, N01. */
export function logStatus({ status, requestId }: Common<'LogStatusNotification'>): ChargerReport {
  return {
    type: 'log-status',
    kind: 'Log',
    requestId: requestId ?? null,
    status,
    outcome: logOutcome(status),
  };
}

/** OCPP 2.0.1 A04, and the security extension of 1.6, A04. */
export function securityEvent(
  { type, timestamp, techInfo }: Common<'SecurityEventNotification'>,
  receipt: Receipt,
): ChargerReport {
  const { time, flag } = chargerTime(timestamp, receipt);
  return {
    type: 'security-event',
    event: type,
    techInfo: techInfo ?? null,
    occurredAt: time,
    timeFlag: flag,
  };
}
