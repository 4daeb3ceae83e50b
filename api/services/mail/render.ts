import type { MailEntry, MailMessage } from './texts/messages.ts';
import { type Language, textOf } from './texts/texts.ts';

/** Sender details of a network in its e-mails. */
export interface Letterhead {
  name: string;
  /** As #rrggbb; null: ours. */
  primaryColor: string | null;
  supportEmail: string | null;
  website: string | null;
}

/** Rendered e-mail, ready to send. */
export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** The page that a token of an e-mail is used at, below the public address of the API. */
const pages = {
  'verify-email': '/account/verify-email',
  'account-exists': '/account/reset-password',
  'reset-password': '/account/reset-password',
  'reset-operator-password': '/console/reset-password',
} as const;

/** Writes an e-mail, as plain text and as simple HTML. No text of a stranger's stands in it. */
export function renderMail(
  message: MailMessage,
  network: Letterhead,
  language: Language,
  publicUrl: string,
): RenderedMail {
  const { subject, paragraphs, action, orEnterCode, entries = [] } = textOf(language, message, network.name);
  const link =
    'token' in message && action !== undefined
      ? { label: action, url: linkTo(publicUrl, message, language), code: message.token, orEnterCode }
      : null;
  const foot = [network.name, network.supportEmail, network.website].filter((line) => line !== null);
  const [first = '', ...rest] = paragraphs;
  const plain = [
    first,
    ...(link === null ? [] : [`${link.label}:\n${link.url}`, `${link.orEnterCode}\n${link.code}`]),
    ...entries.map(({ title, lines, link: { label, url } }) =>
      [title, ...lines, `${label}: ${url}`].join('\n'),
    ),
    ...rest,
    `-- \n${foot.join('\n')}`,
  ];
  return {
    subject,
    text: `${plain.join('\n\n')}\n`,
    html: htmlOf({ subject, first, entries, rest, link, foot, network, language }),
  };
}

/** Returns a link with the token behind the #, which browsers do not send: it appears in no log. */
function linkTo(
  publicUrl: string,
  message: Extract<MailMessage, { token: string }>,
  language: Language,
): string {
  return `${publicUrl}${pages[message.kind]}?lang=${language}#${message.token}`;
}

interface Link {
  label: string;
  url: string;
  code: string;
  orEnterCode: string;
}

/** Mail programs know tables and styles of single elements, and little else. */
function htmlOf(mail: {
  subject: string;
  first: string;
  entries: MailEntry[];
  rest: string[];
  link: Link | null;
  foot: string[];
  network: Letterhead;
  language: Language;
}): string {
  const { subject, first, entries, rest, link, foot, network, language } = mail;
  const color = network.primaryColor ?? '#14532d';
  const onColor = textColorOn(color);
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escaped(text)}</p>`;
  const button = (to: Link) => `
<p style="margin:24px 0"><a href="${escaped(to.url)}" style="background:${color};color:${onColor};padding:12px 20px;border-radius:6px;text-decoration:none;font-weight:bold;display:inline-block">${escaped(to.label)}</a></p>
<p style="margin:0 0 16px">${escaped(to.orEnterCode)}<br><code style="word-break:break-all">${escaped(to.code)}</code></p>`;
  const entry = ({ title, lines, link: { label, url } }: MailEntry) => `
<div style="margin:0 0 16px;padding:12px 16px;border-left:4px solid ${color};background:#fafafa">
<strong>${escaped(title)}</strong><br>${lines.map(escaped).join('<br>')}<br><a href="${escaped(url)}" style="color:#18181b">${escaped(label)}</a></div>`;
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(subject)}</title></head>
<body style="margin:0;background:#f4f4f5">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;font-family:sans-serif;font-size:16px;line-height:1.5;color:#18181b">
<tr><td style="background:${color};color:${onColor};padding:20px 28px;font-size:20px;font-weight:bold">${escaped(network.name)}</td></tr>
<tr><td style="padding:28px">
${paragraph(first)}${entries.map(entry).join('')}${link === null ? '' : button(link)}
${rest.map(paragraph).join('\n')}
</td></tr>
<tr><td style="padding:16px 28px;font-size:13px;color:#52525b;border-top:1px solid #e4e4e7">${foot.map(escaped).join('<br>')}</td></tr>
</table></td></tr></table>
</body></html>
`;
}

/** Black or white, whichever is read better on a color (WCAG 2.2, relative luminance: they are equal at 0.179). */
function textColorOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
