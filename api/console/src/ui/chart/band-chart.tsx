import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type Formats, useFormats } from '../../texts/formats.ts';
import { type BandHit, bandHeight, bandHit, type BandInterval, type BandRow, drawBand } from './band.ts';
import type { TimeRange } from './series.ts';
import { themeColor } from './theme-color.ts';
import { axisWidth, chartPadding, timeLabels, useTheme } from './time-chart.tsx';
import styles from './band-chart.module.css';

interface Props {
  title: string;
  rows: readonly BandRow[];
  range: TimeRange;
  /** Charts of one key share the cursor. */
  syncKey: string;
  /** A range was brushed, or null: the whole range. */
  onZoom: (range: TimeRange | null) => void;
  /** Opens what a bar stands for. */
  onOpen?: (row: BandRow, interval: BandInterval) => void;
}

const axisHeight = 26;

/** Data of a chart that draws its rows by itself: the range without values. */
const emptyData = ({ from, to }: TimeRange): uPlot.AlignedData => [
  [from, to],
  [null, null],
];

/** States over time, one row each, on the time axis of the charts below. */
export function BandChart({ title, rows, range, syncKey, onZoom, onOpen }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const [hit, setHit] = useState<BandHit | null>(null);
  const theme = useTheme();
  const height = bandHeight(rows.length) + axisHeight + 8;
  const { from, to } = range;
  const zoom = useEffectEvent(onZoom);
  const draw = useEffectEvent((chart: uPlot) => drawBand(chart, rows));
  const point = useEffectEvent((chart: uPlot) => {
    const next = bandHit(chart, rows);
    setHit((before) => (before?.interval === next?.interval && before?.left === next?.left ? before : next));
  });
  const press = useEffectEvent((chart: uPlot) => {
    const at = bandHit(chart, rows);
    if (at?.row.opens !== undefined) onOpen?.(at.row, at.interval);
  });
  const create = useEffectEvent((element: HTMLDivElement) => {
    const options = optionsOf({ width: element.clientWidth, height, syncKey, formats, zoom, draw, point });
    const chart = new uPlot(options, emptyData(range), element);
    chart.setScale('x', { min: range.from, max: range.to });
    return chart;
  });

  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const chart = create(element);
    plot.current = chart;
    onPress(chart.over, () => press(chart));
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
      plot.current = null;
    };
  }, [theme, formats, height]);
  useEffect(() => {
    plot.current?.batch(() => {
      plot.current?.setData(emptyData({ from, to }), false);
      plot.current?.setScale('x', { min: from, max: to });
      plot.current?.redraw(false);
    });
  }, [rows, from, to]);

  return (
    <figure className={styles['figure']} aria-label={title}>
      <div ref={holder} style={{ height }} title={hit === null ? t('chart.zoomHint') : undefined} />
      {hit !== null && (
        <div
          aria-hidden
          className={styles['tip']}
          data-side={hit.isRight ? 'left' : 'right'}
          style={{ left: axisWidth + hit.left, top: hit.top }}
        >
          <strong>{hit.row.title}</strong>
          <span>{hit.interval.text}</span>
          {hit.row.opens !== undefined && <span>{hit.row.opens}</span>}
          <span>
            {formats.dateTime(hit.interval.from * 1000)} – {formats.dateTime(hit.interval.to * 1000)} (
            {formats.duration(hit.interval.to - hit.interval.from)})
          </span>
        </div>
      )}
    </figure>
  );
}

/** Movement in px from which on a press is a drag. */
const dragPx = 4;

/** Notifies of presses on an element that are no drags. */
function onPress(element: HTMLElement, listener: () => void): void {
  let begin = 0;
  element.addEventListener('pointerdown', ({ clientX }) => {
    begin = clientX;
  });
  element.addEventListener('click', ({ clientX }) => {
    if (Math.abs(clientX - begin) < dragPx) listener();
  });
}

interface Drawing {
  width: number;
  height: number;
  syncKey: string;
  formats: Formats;
  zoom: (range: TimeRange | null) => void;
  draw: (chart: uPlot) => void;
  point: (chart: uPlot) => void;
}

function optionsOf({ width, height, syncKey, formats, zoom, draw, point }: Drawing): uPlot.Options {
  const muted = themeColor('--text-muted');
  return {
    width,
    height,
    padding: chartPadding,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), formats.timeZone),
    cursor: {
      sync: { key: syncKey, setSeries: false },
      drag: { x: true, y: false, setScale: false },
      y: false,
      points: { show: false },
      bind: {
        dblclick: () => () => {
          zoom(null);
          return null;
        },
      },
    },
    legend: { show: false },
    scales: { x: { time: true }, y: { range: [0, 1] } },
    axes: [
      {
        stroke: muted,
        font: `11px ${themeColor('--font')}`,
        grid: { stroke: themeColor('--chart-grid'), width: 1 },
        ticks: { show: false },
        values: timeLabels(formats),
        space: 90,
        size: axisHeight,
      },
      { size: axisWidth, splits: () => [], values: () => [], grid: { show: false }, ticks: { show: false } },
    ],
    series: [{}, { stroke: 'transparent' }],
    hooks: {
      draw: [draw],
      setCursor: [point],
      setSelect: [
        (chart) => {
          if (chart.select.width < 4) return;
          const from = chart.posToVal(chart.select.left, 'x');
          const to = chart.posToVal(chart.select.left + chart.select.width, 'x');
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          zoom({ from, to });
        },
      ],
    },
  };
}
