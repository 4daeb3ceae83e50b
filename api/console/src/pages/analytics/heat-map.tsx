import { QueryPending } from '../../ui/notice.tsx';
import { Download } from '../../ui/icons/icons.ts';
import { type KeyboardEvent, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { useFormats } from '../../texts/formats.ts';
import { usePageZone } from '../../texts/page-zone.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { csvLine, saveCsv } from '../../ui/csv.ts';
import { Select } from '../../ui/field.tsx';
import { heatMapQuery, type Sums } from './analytics-queries.ts';
import { type AnalyticsSearch, heats, knownOr, sessionsBehind, type Window } from './analytics-search.ts';
import styles from './heat-map.module.css';

type Cell = Schemas['HeatMapCell'];
type Heat = (typeof heats)[number];

interface Props {
  search: AnalyticsSearch;
  window: Window;
  onChange: (changed: AnalyticsSearch) => void;
}

const valueOf = (cell: Sums, heat: Heat) =>
  heat === 'utilization'
    ? (cell.utilizationPercent ?? 0)
    : heat === 'sessions'
      ? cell.sessions
      : cell.energyKwh;

/** Highest share of the colour in a cell in percent, on which text stays readable. */
const strongest = 45;

/** Hours of the week by utilization, sessions or energy; each opens its sessions. */
export function HeatMap({ search, window, onChange }: Props) {
  const { t } = useTranslation('analytics');
  const network = useNetworkQuery();
  const { data, error, refetch } = useQuery(
    heatMapQuery(search, network, { window, timeZone: usePageZone() }),
  );
  const chosen = knownOr(heats, search.heat);
  const heat = chosen === 'utilization' && search.tariffId !== undefined ? 'sessions' : chosen;
  const download = () =>
    saveCsv('analytics-hours', [
      csvLine(['weekday', 'hour', 'sessions', 'energyKwh', 'utilizationPercent']),
      ...(data?.cells ?? []).map(({ weekday, hour, sessions, energyKwh, utilizationPercent }) =>
        csvLine([weekday, hour, sessions, energyKwh, utilizationPercent]),
      ),
    ]);
  return (
    <Card
      title={t('heat.title')}
      actions={
        <>
          <Select
            label={t('heat.label')}
            hidesLabel
            options={heats.map((id) => ({ id, text: t(`metric.${id}`) }))}
            value={heat}
            onChange={(id) => onChange({ heat: id })}
          />
          <Button kind="quiet" onPress={download} isDisabled={data === undefined}>
            <Download aria-hidden size={15} />
            {t('csv')}
          </Button>
        </>
      }
    >
      {data === undefined ? (
        <QueryPending query={{ error, refetch }} height={288} />
      ) : (
        <HeatTable search={search} window={window} heat={heat} data={data} />
      )}
    </Card>
  );
}

const arrows: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -24, ArrowDown: 24 };

function HeatTable({
  search,
  window,
  heat,
  data,
}: {
  search: AnalyticsSearch;
  window: Window;
  heat: Heat;
  data: Schemas['AnalyticsHeatMap'];
}) {
  const { t } = useTranslation('analytics');
  const formats = useFormats();
  const opens = useCan('cpms:read:sessions');
  const [active, setActive] = useState(0);
  const most = Math.max(...data.cells.map((cell) => valueOf(cell, heat)), Number.MIN_VALUE);
  const write = (value: number) =>
    heat === 'utilization'
      ? formats.percent(value / 100)
      : heat === 'sessions'
        ? formats.integer(value)
        : formats.energy(value);
  const move = (event: KeyboardEvent<HTMLTableElement>) => {
    const step = arrows[event.key];
    const next = active + (step ?? 0);
    if (step === undefined || next < 0 || next >= data.cells.length) return;
    event.preventDefault();
    setActive(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-cell="${next}"]`)?.focus();
  };
  const nameOf = ({ weekday, hour, sessions, ...cell }: Cell) =>
    t('heat.cell', {
      day: formats.weekday(weekday),
      hour: `${String(hour).padStart(2, '0')}:00`,
      value: write(valueOf({ sessions, ...cell }, heat)),
      count: sessions,
    });
  const colorOf = (cell: Cell) =>
    `color-mix(in srgb, var(--series-1) ${Math.round((valueOf(cell, heat) / most) * strongest)}%, var(--surface-sunken))`;
  const textOf = (cell: Cell) => {
    const value = valueOf(cell, heat);
    return value === 0 ? '' : formats.compact(value < 10 ? value : Math.round(value));
  };
  return (
    <>
      <div className={styles['scroll']}>
        <table className={styles['map']} aria-label={t('heat.title')} onKeyDown={move}>
          <thead>
            <tr>
              <td aria-label={t('heat.title')} />
              {Array.from({ length: 24 }, (_, hour) => (
                <th key={hour} scope="col">
                  {String(hour).padStart(2, '0')}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: 7 }, (_, day) => (
              <tr key={day}>
                <th scope="row">{formats.weekday(day + 1, 'short')}</th>
                {data.cells.slice(day * 24, day * 24 + 24).map((cell) => {
                  const index = day * 24 + cell.hour;
                  return (
                    <td key={cell.hour} style={{ background: colorOf(cell) }} title={nameOf(cell)}>
                      {opens ? (
                        <Link
                          to="/charging/sessions"
                          search={sessionsBehind(search, window, data.timeZone, {
                            endedWeekday: String(cell.weekday),
                            endedHour: String(cell.hour),
                          })}
                          preload={false}
                          aria-label={nameOf(cell)}
                          data-cell={index}
                          tabIndex={index === active ? 0 : -1}
                          onFocus={() => setActive(index)}
                        >
                          {textOf(cell)}
                        </Link>
                      ) : (
                        <span>{textOf(cell)}</span>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles['legend']}>
        <span>{write(0)}</span>
        <span aria-hidden className={styles['scale']} />
        <span>{write(most === Number.MIN_VALUE ? 0 : most)}</span>
        <span>{t(heat === 'utilization' ? 'heat.ofTime' : 'heat.atEnd')}</span>
      </p>
    </>
  );
}
