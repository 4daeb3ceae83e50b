import { useNow } from '../../ui/time.tsx';
import {
  Check,
  CircleAlert,
  CloudOff,
  Plug,
  Receipt,
  SquareTerminal,
  TriangleAlert,
  Unplug,
  Zap,
  ZapOff,
} from '../../ui/icons/icons.ts';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './live-feed.module.css';
import type { Feed, FeedEvent } from './use-feed.ts';
import { useSentences } from './use-sentences.tsx';

const icons: Record<string, typeof Zap> = {
  'charger.connected': Plug,
  'charger.disconnected': CloudOff,
  'charger.booted': Plug,
  'connector.faulted': CircleAlert,
  'session.started': Zap,
  'session.stopped': ZapOff,
  'session.priced': Receipt,
  'session.under_review': TriangleAlert,
  'connection.rejected': Unplug,
  'alert.raised': TriangleAlert,
  'alert.acknowledged': Check,
  'alert.cleared': Check,
  'command.completed': SquareTerminal,
};

/** Events of the network as they happen. While the pointer or the focus is in the list, new ones wait. */
export function LiveFeed({ feed: { events, stream } }: { feed: Feed }) {
  const { t } = useTranslation('overview');
  const [held, setHeld] = useState<readonly FeedEvent[] | null>(null);
  const shown = held ?? events;
  const isConnecting = !stream.isLive && stream.lostAt === null;
  const sentenceOf = useSentences(shown);
  const waiting = held === null ? 0 : newerThan(events, held[0]);
  return (
    <Card
      title={t('feed.title')}
      hasPadding={false}
      actions={
        waiting > 0 && (
          <Button kind="quiet" onPress={() => setHeld(events)}>
            {t('feed.waiting', { count: waiting })}
          </Button>
        )
      }
    >
      {shown.length === 0 && isConnecting ? (
        <Skeleton height={200} />
      ) : shown.length === 0 ? (
        <Empty title={t('feed.nothing')} />
      ) : (
        <ul
          className={styles['feed']}
          onPointerEnter={() => setHeld(events)}
          onPointerLeave={() => setHeld(null)}
          onFocus={() => setHeld((before) => before ?? events)}
          onBlur={() => setHeld(null)}
        >
          {shown.map((event) => (
            <Entry key={event.id} event={event}>
              {sentenceOf(event)}
            </Entry>
          ))}
        </ul>
      )}
    </Card>
  );
}

function newerThan(events: readonly FeedEvent[], newest: FeedEvent | undefined): number {
  const index = events.findIndex(({ id }) => id === newest?.id);
  return index === -1 ? events.length : index;
}

function Entry({ event, children }: { event: FeedEvent; children: ReactNode }) {
  const formats = useFormats();
  const isToday = formats.date(event.time) === formats.date(new Date(useNow()).toISOString());
  const Icon = icons[event.type] ?? Plug;
  return (
    <li className={styles['entry']}>
      <time dateTime={event.time} className={styles['time']} title={formats.dateTime(event.time)}>
        {isToday ? formats.time(event.time) : formats.shortDateTime(event.time)}
      </time>
      <Icon aria-hidden size={15} />
      <span>{children}</span>
    </li>
  );
}
