import { useNavigate, useSearch } from '@tanstack/react-router';
import type { TimeRange } from '../../../ui/chart/series.ts';

const steps = [2 * 3600, 15 * 60];

/** Returns about the width in seconds that the API gives a bucket: whole seconds, quarter hours or two hours. */
function bucketWidthSeconds(rangeSeconds: number, points: number): number {
  const least = rangeSeconds / Math.max(1, points - 1);
  const step = steps.find((seconds) => least >= seconds) ?? 1;
  return Math.ceil(least / step) * step;
}

/** Ranges up to now, in seconds. */
export const presets = {
  hour: 3600,
  hours6: 6 * 3600,
  day: 86_400,
  week: 7 * 86_400,
  month: 30 * 86_400,
  year: 365 * 86_400,
} as const;
export type Preset = keyof typeof presets;

/** Shown range. `fixed` is null while it ends now. */
export interface HistoryRange {
  preset: Preset | 'custom';
  /** Part of the range that was brushed, or the custom range. */
  fixed: TimeRange | null;
  isZoomed: boolean;
  /** Width in seconds. */
  seconds: number;
}

interface RangeSearch {
  range?: string;
  from?: string;
  to?: string;
  zoom?: string;
}

const isPreset = (word: string): word is Preset => word in presets;

function rangeBetween(from: number, to: number): TimeRange | null {
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? { from, to } : null;
}

/** Reads the range of an address. What is not a range is replaced by the last day. */
export function rangeOf({ range = 'day', from = '', to = '', zoom = '' }: RangeSearch): HistoryRange {
  const custom = range === 'custom' ? rangeBetween(Date.parse(from) / 1000, Date.parse(to) / 1000) : null;
  const preset = isPreset(range) ? range : custom === null ? 'day' : 'custom';
  const [start, end] = zoom.split('-');
  const zoomed = rangeBetween(Number(start || Number.NaN), Number(end || Number.NaN));
  const fixed = zoomed ?? custom;
  const seconds = fixed === null ? presets[preset === 'custom' ? 'day' : preset] : fixed.to - fixed.from;
  return { preset, fixed, isZoomed: zoomed !== null, seconds };
}

/** Returns the bounds for a request in RFC 3339. Those of a range up to now begin at its width before now. */
export function boundsOf({ fixed, seconds }: HistoryRange): { from: string; to: string } {
  const to = fixed === null ? Date.now() : fixed.to * 1000;
  return { from: new Date(to - seconds * 1000).toISOString(), to: new Date(to).toISOString() };
}

/** Name of a range in keys of queries. */
export function rangeKey({ preset, fixed }: HistoryRange): string {
  return fixed === null ? preset : `${fixed.from}-${fixed.to}`;
}

/** Returns the time in ms after which a range up to now is read again: when a reading may have filled a bucket. */
export function advanceMs({ fixed, seconds }: HistoryRange, points: number): number | false {
  if (fixed !== null) return false;
  return Math.min(60, Math.max(5, bucketWidthSeconds(seconds, points))) * 1000;
}

const shortestSeconds = 10;

/** Range of the page, kept in the address: each zoom is a step that the back button undoes. */
export function useHistoryRange() {
  const search = useSearch({ from: '/signed-in/fleet/chargers/$uuid' });
  const navigate = useNavigate({ from: '/fleet/chargers/$uuid' });
  const go = (next: RangeSearch) =>
    void navigate({
      search: ({ range: _range, from: _from, to: _to, zoom: _zoom, ...rest }) => ({ ...rest, ...next }),
      resetScroll: false,
    });
  const { range, from, to, zoom } = search;
  const base: RangeSearch = {
    ...(range === undefined ? {} : { range }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
  return {
    range: rangeOf(search),
    choose: (preset: Preset) => go({ range: preset }),
    chooseCustom: (start: Date, end: Date) =>
      go({ range: 'custom', from: start.toISOString(), to: end.toISOString() }),
    /** Zooms into a part. Null: the whole range. */
    zoom: (part: TimeRange | null) => {
      if (part === null) {
        if (zoom !== undefined) go(base);
        return;
      }
      const middle = (part.from + part.to) / 2;
      const half = Math.max(part.to - part.from, shortestSeconds) / 2;
      const next = `${Math.floor(middle - half)}-${Math.ceil(middle + half)}`;
      if (next !== zoom) go({ ...base, zoom: next });
    },
  };
}
