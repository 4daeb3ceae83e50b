import type { MailEntry, MailLink, MailMessage } from './texts/messages.ts';
import { type Language, textOf } from './texts/texts.ts';

/** Sender details of a network in its e-mails. */
interface Letterhead {
  name: string;
  /** As #rrggbb. Null: the default color. */
  primaryColor: string | null;
  supportEmail: string | null;
  website: string | null;
}

/** Rendered e-mail, ready to send. */
interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** Pages that use the token of an e-mail, below the public address of the API. */
const pages = {
  'verify-email': '/account/verify-email',
  'account-exists': '/account/reset-password',
  'reset-password': '/account/reset-password',
  'reset-operator-password': '/console/reset-password',
} as const;

/** Writes an e-mail as plain text and as simple HTML. It contains no text of strangers. */
export function renderMail(
  message: MailMessage,
  network: Letterhead,
  language: Language,
  publicUrl: string,
): RenderedMail {
  const mail = textOf(language, message, network.name);
  const { subject, paragraphs, action, orEnterCode, entries = [], notes = [], links = [] } = mail;
  const button =
    'token' in message && action !== undefined
      ? { label: action, url: linkTo(publicUrl, message, language), code: message.token, orEnterCode }
      : null;
  const { supportEmail, website } = network;
  const foot = [
    mail.sentBy(network.name),
    supportEmail === null ? null : mail.contact(supportEmail),
    website,
  ].filter((line) => line !== null);
  const plain = [
    ...paragraphs,
    ...(button === null ? [] : [plainLink(button), `${orEnterCode}\n${button.code}`]),
    ...entries.map(({ title, lines, link }) => [title, ...lines, plainLink(link)].join('\n')),
    ...notes,
    ...links.map(plainLink),
    `-- \n${foot.join('\n')}`,
  ];
  return {
    subject,
    text: `${plain.join('\n\n')}\n`,
    html: htmlOf({ subject, paragraphs, button, entries, notes, links, foot, network, language }),
  };
}

function plainLink({ label, url }: MailLink): string {
  return `${label}\n${url}`;
}

/** Returns a link with the token after the #. Browsers do not send this part, so the token appears in no log. */
function linkTo(
  publicUrl: string,
  message: Extract<MailMessage, { token: string }>,
  language: Language,
): string {
  return `${publicUrl}${pages[message.kind]}?lang=${language}#${message.token}`;
}

interface Button extends MailLink {
  code: string;
  orEnterCode: string;
}

/** Writes the HTML. Mail programs support tables and styles of single elements, and little else. */
function htmlOf(mail: {
  subject: string;
  paragraphs: string[];
  button: Button | null;
  entries: MailEntry[];
  notes: string[];
  links: MailLink[];
  foot: string[];
  network: Letterhead;
  language: Language;
}): string {
  const { subject, paragraphs, button, entries, notes, links, foot, network, language } = mail;
  const color = network.primaryColor ?? '#14532d';
  const onColor = textColorOn(color);
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;
  const note = (text: string) =>
    `<p style="margin:0 0 8px;font-size:14px;color:#52525b">${escapeHtml(text)}</p>`;
  const link = ({ label, url }: MailLink) =>
    `<a href="${escapeHtml(url)}" style="color:#18181b">${escapeHtml(label)}</a>`;
  const buttonOf = ({ label, url, code, orEnterCode }: Button) => `
<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="background:${color};color:${onColor};padding:12px 20px;border-radius:6px;text-decoration:none;font-weight:bold;display:inline-block">${escapeHtml(label)}</a></p>
<p style="margin:0 0 24px">${escapeHtml(orEnterCode)}<br><code style="display:inline-block;margin-top:4px;padding:6px 10px;background:#f4f4f5;border-radius:4px;word-break:break-all">${escapeHtml(code)}</code></p>`;
  const entryOf = (entry: MailEntry) => `
<div style="margin:0 0 16px;padding:12px 16px;border-left:4px solid ${color};background:#fafafa">
<strong>${escapeHtml(entry.title)}</strong><br>${entry.lines.map(escapeHtml).join('<br>')}<br>${link(entry.link)}</div>`;
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;background:#f4f4f5">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;font-family:sans-serif;font-size:16px;line-height:1.5;color:#18181b">
<tr><td style="background:${color};color:${onColor};padding:20px 28px;font-size:20px;font-weight:bold">${escapeHtml(network.name)}</td></tr>
<tr><td style="padding:28px 28px 20px">
${paragraphs.map(paragraph).join('\n')}${button === null ? '' : buttonOf(button)}${entries.map(entryOf).join('')}
${notes.map(note).join('\n')}${links.length === 0 ? '' : `<p style="margin:0 0 8px;font-size:14px">${links.map(link).join(' · ')}</p>`}
</td></tr>
<tr><td style="padding:16px 28px;font-size:13px;color:#52525b;border-top:1px solid #e4e4e7">${foot.map(escapeHtml).join('<br>')}</td></tr>
</table></td></tr></table>
</body></html>
`;
}

/** Returns black or white, by contrast with a color (WCAG 2.2; both are equal at a relative luminance of 0.179). */
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

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
