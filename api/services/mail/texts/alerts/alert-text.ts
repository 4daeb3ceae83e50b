import type { AlertEntry, AlertMail, MailEntry, MailText } from '#api/services/mail/texts/messages.ts';
import type { AlertSeverity, AlertTitles } from '#shared/domain/fleet/alert.ts';

/** Words of e-mails about alerts in one language. */
export interface AlertWords {
  /** BCP 47, for times. */
  language: string;
  titles: AlertTitles;
  severities: Record<AlertSeverity, string>;
  escalated: string;
  cleared: string;
  flapping: string;
  /** Labels of lines, with their colons. */
  where: string;
  since: string;
  until: string;
  affected: (total: number) => string;
  stillOffline: (count: number) => string;
  /** Between the listed names and the number of the others. */
  andMore: (count: number) => string;
  digest: (count: number) => string;
  more: (count: number) => string;
  /** Labels of the links to one alert and to all alerts of a kind. */
  open: string;
  openAll: string;
  intro: Record<'raised' | 'escalated' | 'cleared' | 'several', string>;
  /** Title and line of a test of a channel. */
  test: { title: string; line: string };
  flappingNote: string;
  acknowledge: string;
  /** Reason why the reader receives the e-mail. */
  reason: (network: string) => string;
  /** Labels of the links to the mutes and the rules. */
  mute: string;
  rule: string;
}

/** Writes an e-mail about alerts. Its links lead to the console. */
export function alertText(
  words: AlertWords,
  { entries, more, alertsUrl }: AlertMail,
  network: string,
): MailText {
  const [first, ...others] = entries;
  if (first === undefined) throw new Error('an e-mail about alerts has no entry');
  const isSingle = others.length === 0 && more === 0;
  return {
    subject: isSingle
      ? alertSubject(words, first)
      : `${words.digest(entries.length + more)}: ${headline(words, first)}`,
    paragraphs: [words.intro[isSingle ? first.cause : 'several']],
    entries: entries.map((entry) => alertEntryText(words, entry, alertsUrl)),
    notes: [
      ...(more > 0 ? [words.more(more)] : []),
      ...(entries.some(({ isFlapping }) => isFlapping) ? [words.flappingNote] : []),
      ...(entries.some(({ cause }) => cause !== 'cleared') ? [words.acknowledge] : []),
      words.reason(network),
    ],
    links: [
      { label: words.mute, url: `${alertsUrl}?tab=mutes` },
      { label: words.rule, url: `${alertsUrl}?tab=rules` },
    ],
  };
}

/** Returns what happened and where, in a line. */
export function alertSubject(words: AlertWords, entry: AlertEntry): string {
  const [name] = entry.names;
  const place =
    entry.count === 1 && entry.kind !== 'location-offline' && name !== undefined ? name : entry.location;
  return `${headline(words, entry)}${place === null ? '' : `: ${place}`}`;
}

function headline(words: AlertWords, { kind, count, cause, isFlapping }: AlertEntry): string {
  const { titles } = words;
  const text = count <= 1 ? titles.kind[kind] : titles.kinds[kind].replace('{{count}}', String(count));
  if (cause !== 'raised') return `${words[cause]}: ${text}`;
  return isFlapping ? `${words.flapping}: ${text}` : text;
}

/** Writes the title, lines and link of one notification. */
export function alertEntryText(words: AlertWords, entry: AlertEntry, alertsUrl: string): MailEntry {
  const { severity, location, since, until, timeZone, names, moreNames, stillOffline, alertId } = entry;
  const at = (time: Date) => localTime(words.language, time, timeZone);
  const total = names.length + moreNames;
  const affected = `${names.join(', ')}${moreNames > 0 ? ` ${words.andMore(moreNames)}` : ''}`;
  return {
    title: `${headline(words, entry)} (${words.severities[severity]})`,
    lines: [
      ...(location === null ? [] : [`${words.where} ${location}`]),
      `${words.since} ${at(since)}`,
      ...(until === null ? [] : [`${words.until} ${at(until)}`]),
      ...(affected === '' ? [] : [`${words.affected(total)} ${affected}`]),
      ...(stillOffline > 0 ? [words.stillOffline(stillOffline)] : []),
    ],
    link:
      alertId === null
        ? { label: words.openAll, url: `${alertsUrl}?kind=${entry.kind}` }
        : { label: words.open, url: `${alertsUrl}?alert=${alertId}` },
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
