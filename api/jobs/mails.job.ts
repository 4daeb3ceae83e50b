import type { ApiDeps } from '#api/services/deps.ts';
import { sendMail } from '#api/services/mail/mails.ts';
import type { Logger } from '#shared/log/log.ts';
import { endMails } from '#shared/postgres/mail/mails.ts';

/** Longer than a job is retried and than tokens in e-mails are valid. */
const waitDays = 2;

/** Days for which the record of an e-mail is kept; its text is removed when it is sent. */
const keepDays = 30;

/**
 * Sends a queued e-mail.
 * @throws {Error} without the addresses that errors of mail servers contain.
 */
export async function sendQueuedMail(deps: ApiDeps & { log: Logger }, mailId: number): Promise<void> {
  try {
    const outcome = await sendMail(deps, mailId);
    deps.log.debug({ mailId, outcome }, 'processed an e-mail');
  } catch (error) {
    throw Object.assign(new Error(`could not send the e-mail ${mailId}`), errorDetails(error));
  }
}

/** Gives up e-mails that could not be sent, and deletes old ones. */
export function forgetMails({ sql }: Pick<ApiDeps, 'sql'>): Promise<void> {
  return endMails(sql, waitDays, keepDays);
}

/** Returns the details of an error of a mail server, without its text. */
function errorDetails(error: unknown): object {
  if (!(error instanceof Error)) return { code: null };
  const { code, responseCode, command } = error as {
    code?: unknown;
    responseCode?: unknown;
    command?: unknown;
  };
  return { code, responseCode, command };
}
