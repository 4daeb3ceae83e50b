import type { AlertEntry, AlertMail, MailEntry, MailText } from '#api/services/mail/texts/messages.ts';
import type { AlertKind, AlertSeverity } from '#shared/domain/fleet/alert.ts';

/** Words of e-mails about alerts in one language. */
export interface AlertWords {
  /** BCP 47, for times. */
  language: string;
  /** Headline of one alert, and of a number of them. */
  kinds: Record<AlertKind, [one: string, several: (count: number) => string]>;
  severities: Record<AlertSeverity, string>;
  escalated: string;
  cleared: string;
  flapping: string;
  where: string;
  since: string;
  until: string;
  affected: string;
  stillOffline: (count: number) => string;
  /** Between the listed names and the number of the others. */
  andMore: (count: number) => string;
  digest: (count: number) => string;
  more: (count: number) => string;
  open: string;
  intro: Record<'raised' | 'escalated' | 'cleared' | 'several', string>;
  flappingNote: string;
  /** Labels of the requests that acknowledge, mute and change recipients. */
  requests: Record<'acknowledge' | 'mute' | 'rule', string>;
}

/** Writes an e-mail about alerts. */
export function alertText(words: AlertWords, { entries, more, apiUrl }: AlertMail): MailText {
  const [first, ...others] = entries;
  if (first === undefined) throw new Error('an e-mail about alerts has no entry');
  const isSingle = others.length === 0 && more === 0;
  const { requests } = words;
  const canAcknowledge = entries.some(({ cause }) => cause !== 'cleared');
  return {
    subject: isSingle
      ? subjectOf(words, first)
      : `${words.digest(entries.length + more)}: ${headline(words, first)}`,
    paragraphs: [
      words.intro[isSingle ? first.cause : 'several'],
      ...(entries.some(({ isFlapping }) => isFlapping) ? [words.flappingNote] : []),
      ...(more > 0 ? [words.more(more)] : []),
      ...(canAcknowledge
        ? [
            `${requests.acknowledge} POST ${apiUrl}/alerts/${(isSingle ? first.alertId : null) ?? '{id}'}/acknowledge`,
          ]
        : []),
      `${requests.mute} POST ${apiUrl}/alert-mutes`,
      `${requests.rule} PUT ${apiUrl}/alert-rules/${isSingle ? first.kind : '{kind}'}`,
    ],
    entries: entries.map((entry) => entryOf(words, entry, apiUrl)),
  };
}

function subjectOf(words: AlertWords, entry: AlertEntry): string {
  const [name] = entry.names;
  const place =
    entry.count === 1 && entry.kind !== 'location-offline' && name !== undefined ? name : entry.location;
  return `${headline(words, entry)}${place === null ? '' : `: ${place}`}`;
}

function headline(words: AlertWords, { kind, count, cause, isFlapping }: AlertEntry): string {
  const [one, several] = words.kinds[kind];
  const text = count === 1 ? one : several(count);
  if (cause !== 'raised') return `${words[cause]}: ${text}`;
  return isFlapping ? `${words.flapping}: ${text}` : text;
}

function entryOf(words: AlertWords, entry: AlertEntry, apiUrl: string): MailEntry {
  const { severity, location, since, until, timeZone, names, moreNames, stillOffline } = entry;
  const at = (time: Date) => localTime(words.language, time, timeZone);
  const total = names.length + moreNames;
  const affected = `${names.join(', ')}${moreNames > 0 ? ` ${words.andMore(moreNames)}` : ''}`;
  const alerts = entry.alertId === null ? `?notificationId=${entry.notificationId}` : `/${entry.alertId}`;
  return {
    title: `${headline(words, entry)} (${words.severities[severity]})`,
    lines: [
      ...(location === null ? [] : [`${words.where}: ${location}`]),
      `${words.since}: ${at(since)}`,
      ...(until === null ? [] : [`${words.until}: ${at(until)}`]),
      ...(affected === '' ? [] : [`${words.affected}${total > 1 ? ` (${total})` : ''}: ${affected}`]),
      ...(stillOffline > 0 ? [words.stillOffline(stillOffline)] : []),
    ],
    link: { label: words.open, url: `${apiUrl}/alerts${alerts}` },
  };
}

function localTime(language: string, time: Date, timeZone: string): string {
  return time.toLocaleString(language, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
}
