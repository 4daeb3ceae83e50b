import type { CommandEffect } from '#shared/domain/commands/command-effects.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';
import { sentTime } from './effect-table.ts';

/** Request that both versions have; the security extension of 1.6 adopts messages of 2.0.1. */
type Common<Action extends 'CancelReservation' | 'DeleteCertificate' | 'GetLog' | 'InstallCertificate'> =
  | RequestOf<'1.6', Action>
  | RequestOf<'2.0.1', Action>;

/** Effects of actions that are identical in OCPP 1.6 and 2.0.1. */
export const commonEffects = {
  CancelReservation: ({ reservationId }: Common<'CancelReservation'>): CommandEffect => ({
    type: 'reservation-cancelled',
    reservationId,
  }),
  GetLog: ({ requestId, logType, log }: Common<'GetLog'>): CommandEffect => ({
    type: 'log',
    kind: 'Log',
    logType,
    requestId,
    location: log.remoteLocation,
    oldestAt: sentTime(log.oldestTimestamp),
    latestAt: sentTime(log.latestTimestamp),
  }),
  InstallCertificate: ({ certificateType, certificate }: Common<'InstallCertificate'>): CommandEffect => ({
    type: 'certificate-installed',
    certificateType,
    pem: certificate,
  }),
  DeleteCertificate: ({ certificateHashData: named }: Common<'DeleteCertificate'>): CommandEffect => ({
    type: 'certificate-deleted',
    hashAlgorithm: named.hashAlgorithm,
    issuerNameHash: named.issuerNameHash,
    issuerKeyHash: named.issuerKeyHash,
    serialNumber: named.serialNumber,
  }),
};
