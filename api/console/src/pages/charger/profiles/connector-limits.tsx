import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../api/client.ts';
import { useFormats } from '../../../texts/formats.ts';
import type { Series } from '../../../ui/chart/series.ts';
import type { Composite } from './composite-query.ts';
import { LimitChart, type LimitLine } from './limit-chart.tsx';
import { drawnProfile, type Span, stepsOf } from './profile-steps.ts';
import styles from './profiles.module.css';

const colors: Series['color'][] = [
  '--series-1',
  '--series-2',
  '--series-3',
  '--series-4',
  '--series-5',
  '--series-6',
];

interface Props {
  /** 0: the charger as a whole. */
  number: number;
  profiles: readonly Schemas['ChargingProfile'][];
  composite: Composite | undefined;
  span: Span;
  unit: 'A' | 'kW';
}

/** Limits of the profiles at a connector, with the composite schedule of the charger. */
export function ConnectorLimits({ number, profiles, composite, span, unit }: Props) {
  const { t } = useTranslation(['chargingProfiles', 'charger']);
  const formats = useFormats();
  const lines = useMemo(() => {
    const own = profiles.filter(({ evseId, connectorNumber }) => (connectorNumber ?? evseId) === number);
    const drawn = own.map((profile, index): LimitLine => {
      const read = drawnProfile(profile);
      return {
        id: String(profile.profileId),
        title: t('line', { number: profile.profileId, purpose: profile.purpose, level: profile.stackLevel }),
        color: colors[index % colors.length] ?? '--series-1',
        unit: read.unit,
        steps: stepsOf(read, span),
      };
    });
    const schedule = composite?.schedule ?? null;
    if (schedule === null) return drawn;
    const { startsAt, durationSeconds, rateUnit, periods } = schedule;
    const start = startsAt === null ? (composite?.askedAt ?? span.from) : Date.parse(startsAt);
    const steps = stepsOf(
      {
        kind: 'Absolute',
        recurrency: null,
        startsAt: start,
        durationSeconds,
        validFrom: null,
        validTo: null,
        unit: rateUnit,
        periods,
      },
      span,
    );
    return [
      ...drawn,
      { id: 'composite', title: t('composite.line'), color: '--text' as const, unit: rateUnit, steps },
    ];
  }, [number, profiles, composite, span, t]);
  const isMissing = composite !== undefined && composite.schedule === null;
  if (lines.length === 0 && !isMissing) return null;
  return (
    <div className={styles['chart']}>
      <LimitChart
        title={number === 0 ? t('wholeCharger') : t('charger:connector.title', { number })}
        lines={lines}
        span={span}
        unit={unit}
      />
      {composite !== undefined && (
        <p className={styles['asked']}>
          {isMissing
            ? t('composite.none', { message: composite.message })
            : t('composite.askedAt', { time: formats.time(composite.askedAt) })}
        </p>
      )}
    </div>
  );
}
