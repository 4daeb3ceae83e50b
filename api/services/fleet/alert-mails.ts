import { alertDelivery } from '#shared/domain/fleet/alert-delivery.ts';
import {
  type DueRecipient,
  dropSettledNotices,
  listDueRecipients,
  listNoticeContents,
  markNoticesSent,
  type NoticeContent,
} from '#shared/postgres/fleet/alert-notices.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { type MailMessage, queueMail } from '#api/services/mail/mails.ts';

type AlertMail = Extract<MailMessage, { kind: 'alerts' }>;

/** Returns the address of the alerts in the console. */
export const alertsUrlOf = ({ publicUrl }: Pick<ServiceDeps['settings'], 'publicUrl'>) =>
  `${publicUrl}/console/alerts`;

/** Characters of a name in an e-mail. Error codes in names come from chargers. */
const maxName = 80;

/**
 * Queues one e-mail to each address with due notices, within the bounds of `alertDelivery`; it carries all notices of the address. Returns
 * the number of e-mails.
 */
export async function sendDueNotices(
  deps: Pick<ServiceDeps, 'settings'>,
  transaction: Transaction,
): Promise<number> {
  await dropSettledNotices(transaction);
  const recipients = await listDueRecipients(transaction);
  for (const recipient of recipients) await sendTo(deps, transaction, recipient);
  return recipients.length;
}

async function sendTo(
  deps: Pick<ServiceDeps, 'settings'>,
  transaction: Transaction,
  recipient: DueRecipient,
): Promise<void> {
  const notices = await listNoticeContents(transaction, recipient);
  const { networkId, recipient: email, language } = recipient;
  const listed = notices.slice(0, alertDelivery.entriesPerMail);
  const message: AlertMail = {
    kind: 'alerts',
    entries: listed.map(alertEntryOf),
    more: notices.length - listed.length,
    alertsUrl: alertsUrlOf(deps.settings),
  };
  const mailId = await queueMail(deps, transaction, { networkId, email, language }, message);
  await markNoticesSent(
    transaction,
    notices.map(({ noticeId }) => noticeId),
    mailId,
  );
}

/** Returns what texts need of a notice. */
export function alertEntryOf(notice: NoticeContent): AlertMail['entries'][number] {
  const { cause, kind, severity, isFlapping, location, timeZone, count, since, until, stillOffline } = notice;
  const names = notice.names.map((name) => name.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, maxName));
  return {
    cause,
    kind,
    severity,
    isFlapping,
    location,
    timeZone,
    count,
    since,
    until,
    stillOffline,
    names,
    moreNames: notice.namesCount - names.length,
    alertId: notice.alertUuid,
  };
}
