import { useQueryClient } from '@tanstack/react-query';
import {
  ChevronLeft,
  ChevronRight,
  RotateCcw,
  Table2,
  TrendingUp,
  ZoomIn,
  ZoomOut,
} from '../../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../api/client.ts';
import { useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import type { TimeRange, Values } from '../../../ui/chart/series.ts';
import { CustomRange } from './custom-range.tsx';
import { type HistoryChart, connectorColor } from './history-charts.ts';
import { intervalsQuery, seriesQuery } from './history-queries.ts';
import { type Preset, presets, rangeOf, type useHistoryRange } from './history-range.ts';
import type { ShownConnectors } from './shown-connectors.ts';
import styles from './history.module.css';
import { csvLine, saveCsv } from '../../../ui/csv.ts';

/** Names of the ranges that end now. */
const spans = {
  hour: { count: 1, unit: 'hour' },
  hours6: { count: 6, unit: 'hour' },
  day: { count: 24, unit: 'hour' },
  week: { count: 7, unit: 'day' },
  month: { count: 30, unit: 'day' },
  year: { count: 1, unit: 'year' },
} as const;

interface Props {
  charger: Schemas['Charger'];
  points: number;
  control: ReturnType<typeof useHistoryRange>;
  shown: TimeRange;
  connectors: ShownConnectors;
  drawn: { times: number[]; charts: HistoryChart[] } | null;
  isLoading: boolean;
  isTable: boolean;
  onTable: (isTable: boolean) => void;
}

/** Choice of the range and of the connectors; the numbers as table and CSV. */
export function HistoryToolbar(props: Props) {
  const { charger, points, control, shown, connectors, drawn, isLoading, isTable, onTable } = props;
  const { t } = useTranslation(['chargerHistory', 'common']);
  const formats = useFormats();
  const queries = useQueryClient();
  const [isCustom, setCustom] = useState(false);
  const { range, choose, chooseCustom, zoom } = control;
  const prefetch = (preset: Preset) => {
    const next = rangeOf({ range: preset });
    void queries.prefetchQuery(seriesQuery(charger.id, next, points));
    void queries.prefetchQuery(intervalsQuery(charger.id, next, points));
  };
  const names = Object.keys(presets) as Preset[];
  const isPressed = (preset: string) => range.preset === preset && !range.isZoomed;
  return (
    <div className={styles['toolbar']} aria-busy={isLoading}>
      <div role="group" aria-label={t('common:range.label')} className={styles['group']}>
        {names.map((preset) => (
          <Button
            key={preset}
            aria-pressed={isPressed(preset)}
            onHoverStart={() => prefetch(preset)}
            onPress={() => choose(preset)}
          >
            {formats.span(spans[preset].count, spans[preset].unit)}
          </Button>
        ))}
        <Button aria-pressed={isPressed('custom')} onPress={() => setCustom(true)}>
          {t('common:range.custom')}
        </Button>
      </div>
      <Steps shown={shown} zoom={zoom} isZoomed={range.isZoomed} />
      <div className={styles['end']}>
        {connectors.all.length > 1 && (
          <div role="group" aria-label={t('connectors')} className={styles['group']}>
            {connectors.all.map((number) => (
              <Button
                key={number}
                kind="quiet"
                aria-pressed={connectors.isShown(number)}
                onPress={() => connectors.toggle(number)}
              >
                <span
                  aria-hidden
                  className={styles['swatch']}
                  data-off={!connectors.isShown(number)}
                  style={{ color: `var(${connectorColor(number)})` }}
                />
                {t('connector', { number })}
              </Button>
            ))}
          </div>
        )}
        <Button kind="quiet" aria-pressed={isTable} onPress={() => onTable(!isTable)}>
          {isTable ? <TrendingUp aria-hidden size={15} /> : <Table2 aria-hidden size={15} />}
          {t(isTable ? 'common:action.showChart' : 'common:action.showTable')}
        </Button>
        <Button
          kind="quiet"
          isDisabled={drawn === null || drawn.times.length === 0}
          onPress={() => drawn !== null && downloadCsv(charger.uid, drawn)}
        >
          {t('common:action.download')}
        </Button>
      </div>
      <p className={styles['shown']}>
        {formats.dateTime(shown.from * 1000)} – {formats.dateTime(shown.to * 1000)}
      </p>
      <CustomRange isOpen={isCustom} shown={shown} onClose={() => setCustom(false)} onChoose={chooseCustom} />
    </div>
  );
}

/** Steps of the range without a mouse: earlier, later, nearer, wider, whole. */
function Steps({
  shown: { from, to },
  zoom,
  isZoomed,
}: {
  shown: TimeRange;
  zoom: (part: TimeRange | null) => void;
  isZoomed: boolean;
}) {
  const { t } = useTranslation(['chargerHistory', 'common']);
  const width = to - from;
  const steps = [
    { name: t('earlier'), icon: ChevronLeft, part: { from: from - width / 2, to: to - width / 2 } },
    { name: t('later'), icon: ChevronRight, part: { from: from + width / 2, to: to + width / 2 } },
    { name: t('zoomIn'), icon: ZoomIn, part: { from: from + width / 4, to: to - width / 4 } },
    { name: t('zoomOut'), icon: ZoomOut, part: { from: from - width / 2, to: to + width / 2 } },
  ];
  return (
    <div role="group" aria-label={t('steps')} className={styles['group']}>
      {steps.map(({ name, icon: Icon, part }) => (
        <Button key={name} kind="quiet" isIcon aria-label={name} onPress={() => zoom(part)}>
          <Icon aria-hidden size={16} />
        </Button>
      ))}
      {isZoomed && (
        <Button kind="quiet" onPress={() => zoom(null)}>
          <RotateCcw aria-hidden size={15} />
          {t('common:chart.reset')}
        </Button>
      )}
    </div>
  );
}

/**
 * Saves the numbers of the charts as CSV: the beginning of each bucket, and mean, lowest and highest value per series.
 */
function downloadCsv(uid: string, { times, charts }: { times: number[]; charts: HistoryChart[] }): void {
  const columns: { name: string; values: Values }[] = [];
  for (const { series, unit } of charts) {
    for (const { id, mean, minimum, maximum } of series) {
      const name = `${id} (${unit})`;
      if (minimum === undefined || maximum === undefined) columns.push({ name, values: mean });
      else
        columns.push(
          { name: `${name} mean`, values: mean },
          { name: `${name} min`, values: minimum },
          { name: `${name} max`, values: maximum },
        );
    }
  }
  const rows = times.map((time, index) =>
    csvLine([new Date(time * 1000).toISOString(), ...columns.map(({ values }) => values[index] ?? null)]),
  );
  saveCsv(`${uid}-readings`, [csvLine(['time', ...columns.map(({ name }) => name)]), ...rows]);
}
