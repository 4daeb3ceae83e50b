import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Test } from 'tap';
import type { TestApi } from './fixtures.ts';

/** An e-mail as a mail program reads it. */
export interface ReadMail {
  /** By name, in small letters. */
  headers: Record<string, string>;
  text: string;
  html: string;
}

/** Reads a message of two parts, text and HTML (RFC 5322, RFC 2045). */
export function readMail(raw: string): ReadMail {
  const whole = entity(raw);
  const boundary = /boundary="([^"]+)"/.exec(whole.headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) throw new Error('no parts');
  const parts = whole.body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => entity(part.replace(/^\r\n/, '')));
  const bodyOf = (type: string) => {
    const part = parts.find(({ headers }) => headers['content-type']?.startsWith(type));
    if (part === undefined) throw new Error(`no ${type}`);
    return decoded(part);
  };
  return { headers: whole.headers, text: bodyOf('text/plain'), html: bodyOf('text/html') };
}

interface Entity {
  headers: Record<string, string>;
  body: string;
}

function entity(raw: string): Entity {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), decodedWords(line.slice(colon + 1).trim())];
  });
  return { headers: Object.fromEntries(headers) as Record<string, string>, body: raw.slice(end + 4) };
}

/** RFC 2047. */
function decodedWords(text: string): string {
  const joined = text.replaceAll(/\?=\s+=\?/g, '?==?');
  return joined.replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, coding: string, word: string) =>
    coding.toLowerCase() === 'b'
      ? Buffer.from(word, 'base64').toString()
      : unquoted(word.replaceAll('_', ' ')),
  );
}

function decoded({ headers, body }: Entity): string {
  const coding = headers['content-transfer-encoding'];
  if (coding === 'base64') return Buffer.from(body, 'base64').toString();
  return coding === 'quoted-printable' ? unquoted(body.replaceAll('=\r\n', '')) : body;
}

function unquoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/gi, (_all, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}

/** A mail server on this machine, and what it took. */
export interface MailServer {
  url: string;
  port: number;
  taken: { to: string[]; raw: string }[];
}

/** Starts a mail server that accepts everything without a login, unless the options differ. */
export async function startMailServer(
  t: Pick<Test, 'teardown'>,
  options: SMTPServerOptions = {},
): Promise<MailServer> {
  const taken: MailServer['taken'] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        taken.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
    ...options,
  });
  // A client that goes away is no fault of the server's.
  server.on('error', () => undefined);
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      const address = listening.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { url: `smtp://127.0.0.1:${port}`, port, taken };
}

/** The newest e-mail that waits for an address, and the token in its link. */
export async function mailTo(
  api: TestApi,
  email: string,
): Promise<{ kind: string; text: string; token: string }> {
  const [mail] = await api.stores.sql<{ kind: string; text: string }[]>`
    select kind, body_text as text from mails where recipient = ${email} order by id desc limit 1`;
  if (mail === undefined) throw new Error(`no e-mail to ${email}`);
  return { ...mail, token: /#(\S+)/.exec(mail.text)?.[1] ?? '' };
}
