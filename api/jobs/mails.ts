import type { ApiDeps } from '#api/services/deps.ts';
import { sendMail } from '#api/services/mail/mails.ts';
import type { Logger } from '#shared/log/log.ts';
import { endMails } from '#shared/postgres/mail/mails.ts';

/** Longer than a job is tried, and than the tokens in an e-mail are good. */
const waitDays = 2;

/** Days for which the record of an e-mail is kept; its text is removed when it is sent. */
const keepDays = 30;

/** Sends queued e-mails in this process, alongside any number of others. */
export async function startMailing(deps: ApiDeps & { log: Logger }): Promise<void> {
  await deps.queue.work('send-mail', async ({ mailId }) => {
    try {
      const outcome = await sendMail(deps, mailId);
      deps.log.debug({ mailId, outcome }, 'processed an e-mail');
    } catch (error) {
      deps.log.warn({ mailId, ...errorDetails(error) }, 'could not send an e-mail; it will be retried');
      throw error;
    }
  });
}

/** Gives up e-mails that could not be sent, and deletes old ones. */
export function forgetMails({ sql }: Pick<ApiDeps, 'sql'>): Promise<void> {
  return endMails(sql, waitDays, keepDays);
}

/** Returns the details of an error for the log, without the addresses that errors of mail servers contain. */
function errorDetails(error: unknown): object {
  if (!(error instanceof Error)) return { code: null };
  const { code, responseCode, command } = error as {
    code?: unknown;
    responseCode?: unknown;
    command?: unknown;
  };
  return { code, responseCode, command };
}
