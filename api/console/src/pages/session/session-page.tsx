import { useSuspenseQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useObjectZone } from '../../app/page-zone.tsx';
import { SessionActions } from './actions/session-actions.tsx';
import { SessionChart } from './chart/session-chart.tsx';
import { Flags } from './flags.tsx';
import { useLiveSession, type LiveSession } from './live-session.ts';
import { Price } from './price/price.tsx';
import { Receipt } from './receipt/receipt.tsx';
import { ReviewNotice } from './review-notice.tsx';
import { Revisions } from './revisions/revisions.tsx';
import { SessionHeader } from './session-header.tsx';
import {
  sessionQuery,
  isRunning,
  type Session,
  figurePoints,
  priceQuery,
  seriesQuery,
} from './session-queries.ts';
import { Station } from './station/station.tsx';
import { Timeline } from './timeline/timeline.tsx';
import styles from './session-page.module.css';
import { Download } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { absent, useFormats } from '../../texts/formats.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import type { ReactNode } from 'react';
import { useNow } from '../../ui/time.tsx';
import reviewNotice from './review-notice.module.css';

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
          <Station session={session} />
          <Receipt key={uuid} session={session} />
          <SignedValues session={session} />
          {session.revisions.length > 0 && <Revisions session={session} />}
        </div>
        <Timeline session={session} />
      </div>
    </div>
  );
}

/** State of the signed meter values of a session, and their file for the transparency software. Nothing without such values. */
function SignedValues({ session }: { session: Session }) {
  const { t } = useTranslation('session');
  const formats = useFormats();
  const { signatureState: state, signedEnergyKwh: energy } = session;
  // While it runs the end is missing as a matter of course.
  if (state === 'NONE' || (state === 'INCOMPLETE' && isRunning(session))) return null;
  return (
    <Card
      title={t('signed.title')}
      actions={
        <a
          className={buttonClass('quiet')}
          href={`/cpms/v1/sessions/${session.id}/signed-meter-values`}
          download={`signed-meter-values-${session.id}.xml`}
        >
          <Download aria-hidden size={15} />
          {t('signed.download')}
        </a>
      }
    >
      <Facts
        facts={[
          [t('signed.state'), t(`signed.states.${state}`)],
          [t('signed.energy'), energy === null ? absent : formats.energy(energy)],
        ]}
      />
    </Card>
  );
}

/** Key figures of a session, which are live while it runs. */
function Figures({ session, live }: { session: Session; live: LiveSession }) {
  const { t } = useTranslation('session');
  const formats = useFormats();
  const now = useNow();
  const series = useQuery(seriesQuery(session, figurePoints)).data?.connectors[0];
  const running = isRunning(session);
  const energy = live.reading?.sessionEnergyKwh ?? session.energyKwh;
  const seconds = running ? (now - Date.parse(session.startedAt)) / 1000 : session.durationSeconds;
  const idle = session.idleSeconds;
  const chargingHours = Math.max(seconds - idle, 0) / 3600;
  const peak = session.peakPowerKw ?? highest(series?.powerKw?.max);
  const meanPower = chargingHours > 0 ? energy / chargingHours : null;
  const power = running ? (live.reading?.powerKw ?? session.powerKw) : meanPower;
  const soc = known(series?.socPercent?.mean);
  const lastSoc = live.reading?.socPercent ?? soc.at(-1) ?? session.socPercent;
  const { costUnavailable } = session;
  const cost = useShownCost(session);
  const percent = (value: number) => formats.percent(Math.round(value) / 100);
  return (
    <dl className={reviewNotice['figures']} aria-label={t('figure.label')}>
      <Figure
        name={t('figure.energy')}
        value={formats.energy(energy)}
        detail={
          session.meterStartKwh === null
            ? null
            : t('figure.register', {
                from: formats.number(session.meterStartKwh, 2),
                to: running ? '…' : formats.number(session.meterStopKwh, 2),
              })
        }
      />
      <Figure
        name={t('figure.duration')}
        value={formats.duration(seconds)}
        detail={idle > 0 ? t('figure.idle', { duration: formats.duration(idle) }) : null}
      />
      <Figure
        name={t(session.cost?.isFinal === true ? 'figure.cost' : 'figure.costSoFar')}
        value={cost === null ? absent : formats.money(cost.gross, cost.currency)}
        detail={
          cost === null
            ? costUnavailable === null
              ? null
              : t(`noCost.${costUnavailable}`)
            : t('figure.inclTax', { tax: formats.money(cost.tax, cost.currency) })
        }
      />
      <Figure
        name={t(running ? 'figure.powerNow' : 'figure.meanPower')}
        value={formats.power(power)}
        detail={peak === null ? null : t('figure.peak', { power: formats.power(peak) })}
      />
      <Figure
        name={t('figure.soc')}
        value={
          soc[0] === undefined || lastSoc === null
            ? lastSoc === null
              ? absent
              : percent(lastSoc)
            : t('figure.socFromTo', { from: percent(soc[0]), to: percent(lastSoc) })
        }
        detail={null}
      />
    </dl>
  );
}

/** Returns the price of a session. While it runs, the one that the page explains: each read has another. */
function useShownCost(session: Session) {
  const price = useQuery({ ...priceQuery(session), enabled: isRunning(session) }).data;
  const explained = price?.totals ?? null;
  if (isRunning(session) && price !== undefined && explained !== null)
    return { gross: explained.gross, tax: explained.tax, currency: price.currency };
  const { cost } = session;
  return cost && { gross: cost.totalInclVat, tax: cost.totalVat, currency: cost.currency };
}

function Figure({ name, value, detail }: { name: string; value: string; detail: ReactNode }) {
  return (
    <div className={reviewNotice['figure']}>
      <dt>{name}</dt>
      <dd className={reviewNotice['value']}>{value}</dd>
      <dd className={reviewNotice['detail']}>{detail}</dd>
    </div>
  );
}

function known(values: readonly (number | null)[] | undefined): number[] {
  return (values ?? []).filter((value) => value !== null);
}

function highest(values: readonly (number | null)[] | undefined): number | null {
  const numbers = known(values);
  return numbers.length === 0 ? null : Math.max(...numbers);
}
