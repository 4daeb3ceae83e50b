import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../texts/formats.ts';
import { Card, Facts } from '../../ui/card.tsx';
import { SettleButtons } from '../session/actions/settle-buttons.tsx';
import { SessionChart } from '../session/chart/session-chart.tsx';
import { Flags } from '../session/flags.tsx';
import { ReviewNotice } from '../session/review-notice.tsx';
import type { Part } from '../session/session-queries.ts';
import type { SessionRow } from '../sessions/session-columns.tsx';
import styles from './review-page.module.css';

interface Props {
  session: SessionRow;
  /** The caller may decide. */
  maySettle: boolean;
  onApprove: () => void;
  onAmend: () => void;
}

/** Facts that decide on a price: the values, the course, and the two decisions. */
export function ReviewDetail({ session, maySettle, onApprove, onAmend }: Props) {
  const { t } = useTranslation(['review', 'session']);
  const formats = useFormats();
  const [part, setPart] = useState<Part>({});
  const { review } = session;
  const factor =
    review === null || review.plausible.energyKwh === 0
      ? null
      : review.proposed.energyKwh / review.plausible.energyKwh;
  const reasons: readonly string[] = review?.reasons ?? [];
  const otherFlags = session.flags.filter((flag) => !reasons.includes(flag));
  return (
    <div className={styles['detail']}>
      <Card
        title={`${session.chargerUid} · ${t('session:header.connector', { number: session.connectorNumber })}`}
        actions={
          <>
            <Link to="/charging/sessions/$uuid" params={{ uuid: session.id }}>
              {t('open')}
            </Link>
            {maySettle && <SettleButtons session={session} onAmend={onAmend} onApprove={onApprove} />}
          </>
        }
      >
        <div className={styles['facts']}>
          <ReviewNotice session={session} />
          {factor !== null && factor > 1 && <p>{t('times', { factor: formats.number(factor, 1) })}</p>}
          <Flags flags={otherFlags} />
          <Facts
            facts={[
              [t('session:header.location'), session.locationName ?? t('session:header.noLocation')],
              [
                t('session:header.driver'),
                session.driverName ?? session.idTag ?? t('session:header.noToken'),
              ],
              [t('session:header.started'), formats.dateTime(session.startedAt)],
              [t('session:header.ended'), formats.dateTime(session.endedAt)],
              [t('session:figure.duration'), formats.duration(session.durationSeconds)],
              [
                t('register'),
                `${formats.number(session.meterStartKwh, 2)} → ${formats.number(session.meterStopKwh, 2)} kWh`,
              ],
            ]}
          />
        </div>
      </Card>
      <SessionChart session={session} part={part} onPart={setPart} />
    </div>
  );
}
