import type { FeedWriter } from '#api/services/open-data/format.service.ts';
import type { FeedFormat } from '#shared/domain/open-data/feed.ts';
import { datexStatus } from './datex-status.ts';
import { datexTable } from './datex-table.ts';
import { geojson } from './geojson.ts';
import { irveDynamic } from './irve-dynamic.ts';
import { irveStatic } from './irve-static.ts';
import { summary } from './summary.ts';

/** Writers by format. */
export const feedWriters: Record<FeedFormat, FeedWriter> = {
  geojson,
  summary,
  'irve-static': irveStatic,
  'irve-dynamic': irveDynamic,
  'datex-table': datexTable,
  'datex-status': datexStatus,
};
