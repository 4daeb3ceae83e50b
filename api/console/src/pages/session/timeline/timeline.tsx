import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOcppWords } from '../../../texts/ocpp-words.ts';
import { useFormats } from '../../../texts/formats.ts';
import { Card } from '../../../ui/card.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { type Session, timelineQuery } from '../session-queries.ts';
import styles from './timeline.module.css';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../../api/client.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { entryReason, entryTitle } from './entry-words.ts';
import {
  BadgeCheck,
  CircleDot,
  Eye,
  FileText,
  Flag,
  Gauge,
  Handshake,
  KeyRound,
  type IconComponent,
  MessageSquare,
  Pause,
  Pencil,
  Play,
  Plug,
  ReceiptText,
  Send,
  Smartphone,
  Square,
  Ticket,
  Undo2,
  Unplug,
  Wallet,
  Zap,
} from '../../../ui/icons/icons.ts';

/** Events of a session, in order. A new day begins with its date. */
export function Timeline({ session }: { session: Session }) {
  const { t } = useTranslation('session');
  const formats = useFormats();
  const { data, error, refetch } = useQuery(timelineQuery(session));
  return (
    <Card title={t('timeline.title')}>
      {data === undefined && error !== null && <ErrorNotice error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={360} />}
      {data?.isPartial === true && <p className={styles['note']}>{t('timeline.partial')}</p>}
      <ol className={styles['entries']}>
        {data?.entries.map((entry, index) => {
          const before = data.entries[index - 1];
          const day = formats.date(entry.time);
          const isNewDay = before === undefined || formats.date(before.time) !== day;
          return (
            <TimelineEntry
              key={`${entry.time} ${entry.type} ${entry.link?.id ?? index}`}
              session={session}
              entry={entry}
              day={isNewDay ? day : null}
            />
          );
        })}
      </ol>
      {data?.isTruncated === true && <p className={styles['note']}>{t('timeline.truncated')}</p>}
    </Card>
  );
}

/** Icons of the events of a session. */
const entryIcons: Record<Schemas['SessionTimelineEntry']['type'], IconComponent> = {
  'start-requested': Smartphone,
  command: Send,
  reserved: Ticket,
  authorized: KeyRound,
  'start-reported': MessageSquare,
  started: Play,
  'first-energy': Zap,
  idle: Pause,
  'connector-status': CircleDot,
  disconnected: Unplug,
  connected: Plug,
  'limit-reached': Gauge,
  'stop-reported': MessageSquare,
  stopped: Square,
  'hold-placed': Wallet,
  'hold-released': Undo2,
  priced: BadgeCheck,
  'under-review': Eye,
  changed: Pencil,
  corrected: Flag,
  paid: Wallet,
  'receipt-issued': ReceiptText,
  'invoice-issued': FileText,
  'cdr-created': Handshake,
  'cdr-credited': Undo2,
};

type Entry = Schemas['SessionTimelineEntry'];

interface Props {
  session: Session;
  entry: Entry;
  /** Date, at the first event of a day. */
  day: string | null;
}

/** One event: time, icon, words, cause, and the way to its record. */
function TimelineEntry({ session, entry, day }: Props) {
  const { t } = useTranslation(['session', 'common']);
  const formats = useFormats();
  const words = useOcppWords();
  const Icon = entryIcons[entry.type];
  const reason = entryReason(t, words, entry);
  const details = [
    t(`timeline.source.${entry.source}`),
    reason,
    entry.by === null ? null : t('timeline.by', { name: entry.by }),
    entry.until === null
      ? null
      : t('timeline.until', {
          time: formats.time(entry.until),
          duration: formats.duration((Date.parse(entry.until) - Date.parse(entry.time)) / 1000),
        }),
  ];
  return (
    <>
      {day !== null && <li className={styles['day']}>{day}</li>}
      <li className={styles['entry']} data-type={entry.type}>
        <time dateTime={entry.time} title={formats.dateTime(entry.time)} className={styles['time']}>
          {formats.time(entry.time)}
        </time>
        <span className={styles['icon']}>
          <Icon aria-hidden size={15} />
        </span>
        <div className={styles['words']}>
          <p>{entryTitle(t, entry)}</p>
          <p className={styles['detail']}>{details.filter((part) => part !== null).join(' · ')}</p>
        </div>
        <EntryLink session={session} entry={entry} />
      </li>
    </>
  );
}

/** Time in ms before and after an event that the page of its charger shows. */
const aroundMs = 60_000;

const around = (time: string) => ({
  from: new Date(Date.parse(time) - aroundMs).toISOString(),
  to: new Date(Date.parse(time) + aroundMs).toISOString(),
});

/** Way to the record of an event: the message at its charger, the receipt below, or the identifier. */
function EntryLink({ session, entry: { link, time, source } }: { session: Session; entry: Entry }) {
  const { t } = useTranslation(['session', 'common']);
  const params = { uuid: session.chargerId };
  if (source === 'status-history')
    return (
      <Link
        to="/fleet/chargers/$uuid"
        params={params}
        search={{ tab: 'history', range: 'custom', ...around(time) }}
        className={styles['link']}
      >
        {t('timeline.charger')}
      </Link>
    );
  if (link === null) return null;
  if (link.kind === 'message')
    return (
      <Link
        to="/fleet/chargers/$uuid"
        params={params}
        search={{ tab: 'log', message: link.id, ...around(time) }}
        className={styles['link']}
      >
        {t('timeline.message')}
      </Link>
    );
  if (link.kind === 'receipt')
    return (
      <a href="#receipt" className={styles['link']}>
        {t('timeline.receipt')}
      </a>
    );
  return <CopyButton text={link.id} label={t('timeline.record', { id: link.id })} />;
}
