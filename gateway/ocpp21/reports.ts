import { handleCertificateStatus } from '#gateway/handlers/certificate-status.ts';
import { handleReport } from '#gateway/handlers/report.ts';
import { handleLimitRequest, handlePriorityCharging } from '#gateway/handlers/station-profiles.ts';
import { notification } from '#gateway/protocol/common-reports.ts';
import { report, serve } from '#gateway/protocol/serve.ts';
import { wireTime } from '#gateway/protocol/wire-time.ts';
import { closeStream, notifyStream, openStream } from './event-streams.ts';

/** Actions that 2.1 adds for a station. They are stored as received. */
export const reports = [
  /** C20–C25: the station settled a payment with its payment provider. */
  report('2.1', 'NotifySettlement', notification('NotifySettlement')),
  /** An accepted number comes with its company, which only a register of VAT numbers knows; none is queried. */
  serve('2.1', 'VatNumberValidation', {
    message: notification('VatNumberValidation'),
    async handle(context, message, { vatNumber, evseId }) {
      await handleReport(context, message);
      return { vatNumber, evseId };
    },
    response: ({ vatNumber, evseId }) => ({
      vatNumber,
      status: 'Rejected' as const,
      statusInfo: { reasonCode: 'NotEnabled', additionalInfo: 'VAT numbers are not verified' },
      ...(evseId !== undefined && { evseId }),
    }),
  }),
  /** K28 */
  serve('2.1', 'PullDynamicScheduleUpdate', {
    message: ({ chargingProfileId }) => chargingProfileId,
    handle: handleLimitRequest,
    response: (limit) =>
      limit === null
        ? { status: 'Rejected' as const, statusInfo: { reasonCode: 'InvalidProfile' } }
        : { status: 'Accepted' as const, scheduleUpdate: limit },
  }),
  /** K22; also after our request (K21). */
  serve('2.1', 'NotifyPriorityCharging', {
    message: ({ transactionId, activated }) => ({ transactionId, isActive: activated }),
    handle: handlePriorityCharging,
  }),
  /** M07: no revocation list is read, so a status by one is unavailable. */
  serve('2.1', 'GetCertificateChainStatus', {
    message: ({ certificateStatusRequests }) => certificateStatusRequests,
    handle: (context, requests) =>
      Promise.all(
        requests.map(async ({ source, certificateHashData: hash, urls: [responderUrl = ''] }) => {
          const answer =
            source === 'OCSP' ? await handleCertificateStatus(context, { ...hash, responderUrl }) : null;
          return { hash, source, answer, receivedAt: context.receivedAt };
        }),
      ),
    response: (certificates) => ({
      certificateStatus: certificates.map(({ hash, source, answer, receivedAt }) => ({
        certificateHashData: {
          hashAlgorithm: hash.hashAlgorithm,
          // Requests may have longer texts than answers.
          issuerNameHash: hash.issuerNameHash.slice(0, 128),
          issuerKeyHash: hash.issuerKeyHash.slice(0, 128),
          serialNumber: hash.serialNumber.slice(0, 40),
        },
        source,
        status: answer?.status ?? ('Failed' as const),
        nextUpdate: answer?.nextUpdate ?? wireTime(receivedAt),
      })),
    }),
  }),
  openStream,
  closeStream,
  /** R02–R04 */
  report('2.1', 'ReportDERControl', notification('ReportDERControl')),
  report('2.1', 'NotifyDERAlarm', notification('NotifyDERAlarm')),
  report('2.1', 'NotifyDERStartStop', notification('NotifyDERStartStop')),
  /** S01–S03 */
  report('2.1', 'BatterySwap', notification('BatterySwap')),
] as const;

/** Messages that a station sends without an answer. */
export const sends = [notifyStream] as const;
