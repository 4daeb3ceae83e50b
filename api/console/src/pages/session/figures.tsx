import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { absent, useFormats } from '../../texts/formats.ts';
import { useNow } from '../../ui/time.tsx';
import type { LiveSession } from './live-session.ts';
import { figurePoints, isRunning, seriesQuery, type Session } from './session-queries.ts';
import styles from './figures.module.css';

/** Key figures of a session, of which those of a running one are live. */
export function Figures({ session, live }: { session: Session; live: LiveSession }) {
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
  const { cost, costUnavailable } = session;
  const percent = (value: number) => formats.percent(Math.round(value) / 100);
  return (
    <dl className={styles['figures']} aria-label={t('figure.label')}>
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
        name={t(cost?.isFinal === true ? 'figure.cost' : 'figure.costSoFar')}
        value={cost === null ? absent : formats.money(cost.totalInclVat, cost.currency)}
        detail={
          cost === null
            ? costUnavailable === null
              ? null
              : t(`noCost.${costUnavailable}`)
            : t('figure.inclTax', { tax: formats.money(cost.totalVat, cost.currency) })
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

function Figure({ name, value, detail }: { name: string; value: string; detail: ReactNode }) {
  return (
    <div className={styles['figure']}>
      <dt>{name}</dt>
      <dd className={styles['value']}>{value}</dd>
      <dd className={styles['detail']}>{detail}</dd>
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
