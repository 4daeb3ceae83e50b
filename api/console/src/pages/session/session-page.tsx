import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useObjectZone } from '../../app/page-zone.tsx';
import { SessionActions } from './actions/session-actions.tsx';
import { SessionChart } from './chart/session-chart.tsx';
import { Figures } from './figures.tsx';
import { Flags } from './flags.tsx';
import { useLiveSession } from './live-session.ts';
import { Price } from './price/price.tsx';
import { Receipt } from './receipt/receipt.tsx';
import { ReviewNotice } from './review-notice.tsx';
import { Revisions } from './revisions/revisions.tsx';
import { SessionHeader } from './session-header.tsx';
import { sessionQuery } from './session-queries.ts';
import { SignedValues } from './signed-values.tsx';
import { Timeline } from './timeline/timeline.tsx';
import styles from './session-page.module.css';

/** One session: what happened, what it cost and why. */
export function SessionPage() {
  const { uuid } = useParams({ from: '/signed-in/charging/sessions/$uuid' });
  const { from, to } = useSearch({ from: '/signed-in/charging/sessions/$uuid' });
  const navigate = useNavigate();
  const { data: session } = useSuspenseQuery(sessionQuery(uuid));
  useObjectZone(session.timeZone);
  const live = useLiveSession(session);
  return (
    <div className={styles['page']}>
      <SessionHeader
        session={session}
        live={live}
        actions={<SessionActions key={uuid} session={session} />}
      />
      <ReviewNotice session={session} />
      <Figures session={session} live={live} />
      <Flags flags={session.flags} />
      <div className={styles['columns']}>
        <div className={styles['chart']}>
          <SessionChart
            key={uuid}
            session={session}
            part={from === undefined || to === undefined ? {} : { from, to }}
            onPart={(part) =>
              void navigate({ to: '.', search: (before) => ({ ...before, from: part.from, to: part.to }) })
            }
          />
        </div>
        <div className={styles['column']}>
          <Price session={session} />
          <Receipt key={uuid} session={session} />
          <SignedValues session={session} />
          {session.revisions.length > 0 && <Revisions session={session} />}
        </div>
        <Timeline session={session} />
      </div>
    </div>
  );
}
