import { useNow } from '../../ui/time.tsx';
import { Link } from '@tanstack/react-router';
import {
  CircleAlert,
  CloudOff,
  Plug,
  Receipt,
  SquareTerminal,
  TriangleAlert,
  Zap,
  ZapOff,
} from '../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './live-feed.module.css';
import type { Feed, FeedEvent } from './use-feed.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';

const icons: Record<string, typeof Zap> = {
  'charger.connected': Plug,
  'charger.disconnected': CloudOff,
  'charger.booted': Plug,
  'connector.faulted': CircleAlert,
  'session.started': Zap,
  'session.stopped': ZapOff,
  'session.priced': Receipt,
  'session.under_review': TriangleAlert,
  'alert.raised': TriangleAlert,
  'alert.cleared': TriangleAlert,
  'command.completed': SquareTerminal,
};

/** Events of the network as they happen. While the pointer or the focus is in the list, new ones wait. */
export function LiveFeed({ feed: { events, stream } }: { feed: Feed }) {
  const { t } = useTranslation('overview');
  const [held, setHeld] = useState<readonly FeedEvent[] | null>(null);
  const shown = held ?? events;
  const isConnecting = !stream.isLive && stream.lostAt === null;
  const chargerName = useChargerNames(shown.flatMap(({ data }) => idsOf(data).chargerId ?? []));
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
            <Entry key={event.id} event={event} chargerName={chargerName} />
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

/** Ids that the data of every event has. */
const idsOf = (data: FeedEvent['data']) => data as { chargerId: string | null; sessionId: string | null };

function Entry({
  event,
  chargerName,
}: {
  event: FeedEvent;
  chargerName: (uuid: string) => string | undefined;
}) {
  const { t } = useTranslation('overview');
  const formats = useFormats();
  const isToday = formats.date(event.time) === formats.date(new Date(useNow()).toISOString());
  const Icon = icons[event.type] ?? Plug;
  const { chargerId, sessionId } = idsOf(event.data);
  return (
    <li className={styles['entry']}>
      <time dateTime={event.time} className={styles['time']} title={formats.dateTime(event.time)}>
        {isToday ? formats.time(event.time) : formats.shortDateTime(event.time)}
      </time>
      <Icon aria-hidden size={15} />
      <span>{t(`feed.types.${event.type}` as 'feed.types.charger.connected')}</span>
      <span className={styles['links']}>
        {chargerId !== null && (
          <Link to="/fleet/chargers/$uuid" params={{ uuid: chargerId }}>
            {chargerName(chargerId) ?? t('feed.charger')}
          </Link>
        )}
        {sessionId !== null && (
          <Link to="/charging/sessions/$uuid" params={{ uuid: sessionId }}>
            {t('feed.session')}
          </Link>
        )}
      </span>
    </li>
  );
}

const keyOf = (uuid: string) => ['charger', uuid, 'uid'];

/**
 * Returns the identity of each charger that events name by its id, once it is read. One is read at a time, so that a busy feed
 * sends one request at a time.
 */
function useChargerNames(ids: readonly string[]): (uuid: string) => string | undefined {
  const queries = useQueryClient();
  const next = ids.find((uuid) => (queries.getQueryState(keyOf(uuid))?.status ?? 'pending') === 'pending');
  useQuery({
    queryKey: keyOf(next ?? ''),
    queryFn: async () => {
      const path = { uuid: next ?? '' };
      return (await dataOf(api.GET('/cpms/v1/chargers/{uuid}', { params: { path } }))).uid;
    },
    enabled: next !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return (uuid) => queries.getQueryData<string>(keyOf(uuid));
}
