import { queryOptions, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { useEventStream } from '../api/event-stream.ts';
import { useCan } from './caller.tsx';
import { useNetworkQuery } from './network-switcher.tsx';
import { useReload } from './use-reload.ts';
import { useVisibility } from './use-visibility.ts';

export const workListKey = ['work-list'] as const;

/** Records that need an operator, in all sections by default. */
export const workListQuery = (query: { networkUuid?: string; sections?: string }) =>
  queryOptions({
    queryKey: [...workListKey, query],
    queryFn: () => api.GET('/cpms/v1/work-list', { params: { query } }),
  });

/** Events that change the numbers of open alerts and of sessions in review. They are rare. */
const badgeTypes = [
  'alert.raised',
  'alert.acknowledged',
  'alert.cleared',
  'session.under_review',
  'session.amended',
] as const;

/** Returns the numbers that stand next to pages of the navigation. Events renew them while the page is visible. */
export function useBadges(): Partial<Record<string, number>> {
  const query = useNetworkQuery();
  const isOverview = useLocation({ select: ({ pathname }) => pathname === '/' });
  const isVisible = useVisibility();
  const mayFollow = useCan('cpms:read:events');
  const { data } = useQuery(workListQuery({ ...query, sections: 'alerts,inReview' }));
  const reload = useReload(workListKey);
  // The overview follows these events itself: browsers open few streams at a time.
  const isFollowing = mayFollow && isVisible && !isOverview;
  const parameters = new URLSearchParams({ ...query, type: badgeTypes.join(',') });
  useEventStream(isFollowing ? `/cpms/v1/events?${parameters}` : null, badgeTypes, reload);
  return { alerts: data?.alerts?.count ?? 0, review: data?.inReview?.count ?? 0 };
}
