import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Transport of e-mails. */
export interface MailSettings {
  /** smtp:// or smtps://; null: they are written to `outboxDir`. */
  smtpUrl: string | null;
  /** The address that e-mails come from. */
  from: string;
  /** Absolute path: where e-mails are files, one for each. */
  outboxDir: string;
}

/** An e-mail on its way out. */
interface OutgoingMail {
  /** Names it, whenever it is sent: who gets it twice can tell. */
  uuid: string;
  fromName: string;
  replyTo: string | null;
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface MailTransport {
  /** False: e-mails are only written to files. */
  readonly hasServer: boolean;
  /**
   * Delivers an e-mail to the mail server.
   * @throws {MailRefused} when the mail server refuses it permanently; any other error when it can be tried
   * again.
   */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** The mail server refuses an e-mail, and would again. */
export class MailRefused extends Error {
  constructor(response: string) {
    super(response);
    this.name = 'MailRefused';
  }
}

/** Opens the transport of the settings. The library is loaded for a mail server, or with the first e-mail that is written to a file. */
export async function openMailTransport(settings: MailSettings): Promise<MailTransport> {
  return settings.smtpUrl === null ? outbox(settings) : smtp(settings, settings.smtpUrl);
}

/** All of them together stay below the time that a job may take (shared/domain/kernel/jobs.ts). */
const timeouts = {
  connectionTimeout: 15_000,
  greetingTimeout: 15_000,
  socketTimeout: 30_000,
  dnsTimeout: 10_000,
};

async function smtp({ from }: MailSettings, url: string): Promise<MailTransport> {
  const { createTransport } = await import('nodemailer');
  const transporter = createTransport({
    url,
    pool: true,
    maxConnections: 4,
    // E-mails carry tokens. A STARTTLS that an attacker removes from the greeting must not go unnoticed (RFC 3207 §6).
    ...(!decidesTls(url) && { requireTLS: true }),
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    hasServer: true,
    async send(mail) {
      try {
        await transporter.sendMail(message(mail, from));
      } catch (error) {
        throw isRefusal(error) ? new MailRefused(error.response) : error;
      }
    },
    close: () => transporter.close(),
  };
}

/**
 * Returns whether the URL decides about TLS. A relay on this machine needs none, and `requireTLS=false` is an
 * explicit choice.
 */
function decidesTls(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  return searchParams.has('requireTLS') || ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}

/**
 * Returns whether an error is a 5yz reply to the envelope or the message: a permanent refusal (RFC 5321
 * §4.2.1). A failed login is not a refusal, because its settings can be fixed.
 */
function isRefusal(error: unknown): error is Error & { response: string } {
  if (!(error instanceof Error) || !('responseCode' in error) || !('code' in error)) return false;
  return Number(error.responseCode) >= 500 && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE');
}

function outbox({ outboxDir, from }: MailSettings): MailTransport {
  return {
    hasServer: false,
    async send(mail) {
      const { createTransport } = await import('nodemailer');
      const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
      const { message: bytes } = await writer.sendMail(message(mail, from));
      await mkdir(outboxDir, { recursive: true, mode: 0o700 });
      const path = join(outboxDir, `${new Date().toISOString().replaceAll(':', '')}-${mail.uuid}.eml`);
      // Renamed when complete, and readable by the owner only: its links open accounts.
      const unfinished = join(outboxDir, `.${randomUUID()}`);
      await writeFile(unfinished, bytes as Buffer, { mode: 0o600 });
      await rename(unfinished, path);
    },
    close: () => undefined,
  };
}

function message(mail: OutgoingMail, from: string) {
  const { uuid, fromName, replyTo, to, subject, text, html } = mail;
  return {
    from: { name: fromName, address: from },
    // An object: the address is one, whatever is in it.
    to: { name: '', address: to },
    ...(replyTo !== null && { replyTo: { name: fromName, address: replyTo } }),
    subject,
    text,
    html,
    messageId: `<${uuid}@${from.split('@').at(-1)}>`,
    // No answers of machines to machines (RFC 3834 §5).
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** The transport that sends queued e-mails. */
export interface MailDeps {
  mailer: MailTransport;
}
