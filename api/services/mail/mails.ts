import { enqueue } from '#shared/postgres/kernel/jobs.statements.ts';
import type { MailMessage } from './texts/messages.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { findWaitingMail, insertMail, mailWasGivenUp, mailWasSent } from '#shared/postgres/mail/mails.ts';
import { findNetworkById } from '#shared/postgres/fleet/network-details.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { renderMail } from './render.ts';
import { languageOf } from './texts/texts.ts';
import { type MailDeps, MailRefused } from './transport.ts';

export type { MailMessage } from './texts/messages.ts';

/** Recipient of an e-mail of a network. */
interface Addressee {
  /** Null: an e-mail of the whole system. */
  networkId: number | null;
  /**
   * Null: no recipient. The e-mail is rendered all the same, so that it takes as long as any other, and is
   * never sent.
   */
  email: string | null;
  /** BCP 47; null: the network's. */
  language: string | null;
}

/** Sender of e-mails that no network sends. */
const system = {
  name: 'chargeway',
  primaryColor: null,
  supportEmail: null,
  website: null,
  language: 'en',
};

/**
 * Writes an e-mail in the language and the colors of a network and queues it, within the transaction of its cause: it is sent
 * if and only if that is committed. Returns its id.
 */
export async function queueMail(
  { settings }: Pick<ServiceDeps, 'settings'>,
  transaction: Transaction,
  { networkId, email, language }: Addressee,
  message: MailMessage,
): Promise<number> {
  const network = networkId === null ? system : await findNetworkById(transaction, networkId);
  const rendered = renderMail(message, network, languageOf(language, network.language), settings.publicUrl);
  const mailId = await insertMail(transaction, {
    ...rendered,
    networkId,
    kind: message.kind,
    recipient: email,
  });
  await enqueue(transaction, 'send-mail', { mailId });
  return mailId;
}

/** Outcome of an e-mail. */
type MailOutcome = 'sent' | 'no-recipient' | 'refused' | 'done-before';

/**
 * Sends a queued e-mail and removes its text. A process that dies in between sends it again, under the same
 * message id.
 * @throws {Error} when it could not be sent and can be tried again.
 */
export async function sendMail(
  { sql, mailer }: Pick<ServiceDeps, 'sql'> & MailDeps,
  mailId: number,
): Promise<MailOutcome> {
  const mail = await findWaitingMail(sql, mailId);
  if (mail === null) return 'done-before';
  const { recipient: to, networkName: fromName, supportEmail: replyTo } = mail;
  if (to === null) {
    await mailWasGivenUp(sql, mailId, 'The e-mail had no recipient.');
    return 'no-recipient';
  }
  try {
    await mailer.send({ ...mail, to, fromName, replyTo });
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    // Servers repeat the address, which is to be forgotten.
    await mailWasGivenUp(sql, mailId, error.message.replaceAll(to, '…').slice(0, 500));
    return 'refused';
  }
  await mailWasSent(sql, mailId);
  return 'sent';
}
