import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { absent, type Formats, useFormats } from '../../texts/formats.ts';
import { drawMarks, type Mark, marksAtCursor } from './marks.ts';
import { type Cursor, type Series, type TimeRange, valueAt, withGaps } from './series.ts';
import { themeColor } from './theme-color.ts';
import styles from './time-chart.module.css';

interface Props {
  title: string;
  /** Times in seconds, ascending, one for each value of the series. */
  times: readonly number[];
  series: readonly Series[];
  range: TimeRange;
  /** Width of a point in seconds: where two are further apart, there is a gap. */
  bucketSeconds: number;
  /** Charts of one key share the cursor. */
  syncKey: string;
  /** A range was brushed, or null: the whole range. */
  onZoom: (range: TimeRange | null) => void;
  /** True: the axis begins at zero, as for energy and money. */
  startsAtZero?: boolean;
  /** True: a value holds for its bucket, as energy does. */
  isStepped?: boolean;
  height?: number;
  timeZone?: string | undefined;
  /** Events on the time axis, whose titles show at the cursor. */
  marks?: readonly Mark[];
}

const noMarks: readonly Mark[] = [];

/** Time series with a shared cursor. Dragging zooms, a double click resets. */
export function TimeChart(props: Props) {
  const { title, times, series, range, bucketSeconds, height = 160, timeZone, marks = noMarks } = props;
  const { isStepped = false } = props;
  const { t } = useTranslation();
  const formats = useFormats(timeZone);
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const [atMarks, setAtMarks] = useState('');
  const zoom = useEffectEvent(props.onZoom);
  const onDraw = useEffectEvent((chart: uPlot) => drawMarks(chart, marks));
  const onCursor = useEffectEvent((chart: uPlot) => {
    setCursor(cursorOf(chart));
    setAtMarks(marksAtCursor(chart, marks));
  });
  const shown = useMemo(() => withGaps(times, series, bucketSeconds), [times, series, bucketSeconds]);
  const shape = series
    .map(({ id, unit, color, minimum }) => `${id} ${unit} ${color} ${minimum !== undefined}`)
    .join('|');
  const theme = useTheme();

  const create = useEffectEvent((element: HTMLDivElement) => {
    const options = optionsOf({ ...props, height, formats, zoom, onCursor, onDraw }, element.clientWidth);
    return new uPlot(options, dataOf(shown), element);
  });
  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const chart = create(element);
    plot.current = chart;
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
      plot.current = null;
    };
    // A new shape of the data, theme or language needs a new chart; new data does not.
  }, [shape, theme, formats, height]);
  useEffect(() => {
    plot.current?.batch(() => {
      plot.current?.setData(dataOf(shown), false);
      plot.current?.setScale('x', { min: range.from, max: range.to });
    });
  }, [shown, range.from, range.to]);
  useEffect(() => plot.current?.redraw(false), [marks]);

  return (
    <figure className={styles['figure']} aria-label={title}>
      <figcaption className={styles['caption']}>
        <span className={styles['title']}>{title}</span>
        <span className={styles['legend']}>
          {shown.series.map((line) => (
            <span key={line.id} className={styles['entry']}>
              <span aria-hidden className={styles['swatch']} style={{ background: `var(${line.color})` }} />
              {line.title}
              {cursor !== null && (
                <strong>
                  {valueText(formats, line, valueAt(shown.times, line.shown ?? line.mean, cursor, isStepped))}
                </strong>
              )}
            </span>
          ))}
          <span className={styles['at']}>
            {cursor === null ? '' : formats.dateTime(cursor.time * 1000)}
            {atMarks !== '' && <strong> {atMarks}</strong>}
          </span>
        </span>
      </figcaption>
      <div ref={holder} className={styles['plot']} style={{ height }} title={t('chart.zoomHint')} />
      {times.length === 0 && <p className={styles['empty']}>{t('chart.noData')}</p>}
    </figure>
  );
}

/** Distance in px at which the cursor is at a value. */
const nearPx = 4;

/** Returns what the cursor is at; null: it is outside of the plot. */
function cursorOf(chart: uPlot): Cursor | null {
  const { left = -1 } = chart.cursor;
  if (left < 0) return null;
  const time = chart.posToVal(left, 'x');
  return { time, nearSeconds: chart.posToVal(left + nearPx, 'x') - time };
}

function valueText(formats: Formats, { unit, format }: Series, value: number | null): string {
  if (value === null) return absent;
  return format === undefined
    ? `${formats.number(value, Math.abs(value) >= 100 ? 0 : 1)} ${unit}`
    : format(value);
}

const shownTheme = () => document.documentElement.dataset['theme'] ?? 'light';

/** Returns the name of the shown theme, and renders again when it changes. */
export function useTheme(): string {
  const [theme, setTheme] = useState(shownTheme);
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(shownTheme()));
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => observer.disconnect();
  }, []);
  return theme;
}

function dataOf({ times, series }: { times: number[]; series: Series[] }): uPlot.AlignedData {
  const lines = series.flatMap(({ mean, minimum, maximum }) =>
    minimum === undefined || maximum === undefined ? [mean] : [mean, maximum, minimum],
  );
  return [times, ...lines] as uPlot.AlignedData;
}

interface Drawing extends Props {
  height: number;
  formats: Formats;
  zoom: (range: TimeRange | null) => void;
  onCursor: (chart: uPlot) => void;
  onDraw: (chart: uPlot) => void;
}

/** Space around the plot, the same in each chart so that their times stand below each other. */
export const chartPadding: uPlot.Padding = [8, 12, 0, 0];

/** Width of the axis at the left. */
export const axisWidth = 52;

function optionsOf(drawing: Drawing, width: number): uPlot.Options {
  const { series, formats, syncKey, height, startsAtZero = false, isStepped = false } = drawing;
  const muted = themeColor('--text-muted');
  const grid = { stroke: themeColor('--chart-grid'), width: 1 };
  const font = `11px ${themeColor('--font')}`;
  const paths = isStepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
  const steps = paths === undefined ? {} : { paths };
  const lines: uPlot.Series[] = [];
  const bands: uPlot.Band[] = [];
  for (const { color, minimum } of series) {
    const stroke = themeColor(color);
    lines.push({ stroke, width: 1.5, spanGaps: false, points: { size: 4 }, ...steps });
    if (minimum === undefined) continue;
    const edge = { stroke: 'transparent', width: 0, spanGaps: false, points: { show: false } };
    lines.push(edge, edge);
    bands.push({ series: [lines.length - 1, lines.length], fill: `${stroke}33` });
  }
  return {
    width,
    height,
    padding: chartPadding,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), formats.timeZone),
    cursor: {
      sync: { key: syncKey, setSeries: false },
      drag: { x: true, y: false, setScale: false },
      points: { show: false },
      bind: {
        dblclick: () => () => {
          drawing.zoom(null);
          return null;
        },
      },
    },
    legend: { show: false },
    scales: {
      x: { time: true },
      y: {
        range: (_chart, min, max) => {
          if (min === null || max === null) return [0, 1];
          const low = startsAtZero ? Math.min(0, min) : min;
          const span = max - low || Math.abs(max) || 1;
          return [low === 0 ? 0 : low - span * 0.08, max + span * 0.08];
        },
      },
    },
    axes: [
      { stroke: muted, font, grid, ticks: { show: false }, values: timeLabels(formats), space: 90, size: 26 },
      { stroke: muted, font, grid, ticks: { show: false }, size: axisWidth, space: Math.min(32, height / 6) },
    ],
    series: [{}, ...lines],
    bands,
    hooks: {
      setCursor: [drawing.onCursor],
      // A zoom moves other values under the cursor.
      setScale: [drawing.onCursor],
      draw: [drawing.onDraw],
      setSelect: [
        (chart) => {
          if (chart.select.width < 4) return;
          const from = chart.posToVal(chart.select.left, 'x');
          const to = chart.posToVal(chart.select.left + chart.select.width, 'x');
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          drawing.zoom({ from, to });
        },
      ],
    },
  };
}

/** Labels of the time axis: dates where a mark begins a day, times elsewhere. */
export function timeLabels(formats: Formats) {
  const day = new Intl.DateTimeFormat(formats.locale, {
    day: 'numeric',
    month: 'short',
    timeZone: formats.timeZone,
  });
  const month = new Intl.DateTimeFormat(formats.locale, {
    month: 'short',
    year: 'numeric',
    timeZone: formats.timeZone,
  });
  const clockFields = {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: formats.timeZone,
  } as const;
  const clock = new Intl.DateTimeFormat(formats.locale, clockFields);
  const seconds = new Intl.DateTimeFormat(formats.locale, { ...clockFields, second: '2-digit' });
  return (_chart: uPlot, marks: number[]): string[] => {
    const step = (marks[1] ?? 0) - (marks[0] ?? 0);
    const shownClock = step < 60 ? seconds : clock;
    return marks.map((mark, index) => {
      const date = new Date(mark * 1000);
      if (step >= 27 * 86_400) return month.format(date);
      if (step >= 86_400) return day.format(date);
      const before = marks[index - 1];
      const isNewDay = before === undefined || day.format(new Date(before * 1000)) !== day.format(date);
      return isNewDay && step >= 3600 ? day.format(date) : shownClock.format(date);
    });
  };
}
