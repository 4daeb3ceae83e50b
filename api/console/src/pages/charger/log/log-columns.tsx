import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../texts/formats.ts';
import type { Column } from '../../../ui/table/columns.ts';
import { Direction } from './direction.tsx';
import type { Exchange } from './exchange-log.ts';
import { directionOf, outcomeOf, summaryOf } from './frames.ts';
import styles from './log.module.css';
import { OutcomeWord } from './outcome-word.tsx';

/** Space for the columns: of a phone, next to an open message, or of the whole page. */
export type LogWidth = 'phone' | 'split' | 'full';

const shown: Record<LogWidth, readonly string[]> = {
  phone: ['clock', 'call', 'outcome'],
  split: ['time', 'call', 'outcome', 'latency'],
  full: ['time', 'direction', 'action', 'outcome', 'latency', 'payload'],
};

const timeOf = ({ at }: Exchange) => new Date(at).toISOString();
const actionOf = ({ call, answer }: Exchange) => (call ?? answer)?.action;

/** Columns of the log. */
export function useLogColumns(width: LogWidth): Column<Exchange>[] {
  const { t } = useTranslation('log');
  const formats = useFormats();
  return useMemo(() => {
    const unknown = t('unknownAction');
    const columns: Column<Exchange>[] = [
      {
        id: 'time',
        title: t('column.time'),
        width: 208,
        cell: (exchange) => <time dateTime={timeOf(exchange)}>{formats.preciseTime(exchange.at)}</time>,
      },
      {
        id: 'clock',
        title: t('column.time'),
        width: 96,
        cell: (exchange) => <time dateTime={timeOf(exchange)}>{formats.time(exchange.at)}</time>,
      },
      {
        id: 'direction',
        title: t('column.direction'),
        width: 152,
        cell: (exchange) => <Direction direction={directionOf(exchange)} />,
      },
      {
        id: 'action',
        title: t('column.action'),
        width: 190,
        cell: (exchange) => actionOf(exchange) ?? unknown,
      },
      {
        id: 'call',
        title: t('column.action'),
        width: width === 'phone' ? 120 : 150,
        grow: true,
        cell: (exchange) => (
          <Direction direction={directionOf(exchange)} word={actionOf(exchange) ?? unknown} />
        ),
      },
      {
        id: 'outcome',
        title: t('column.outcome'),
        width: width === 'phone' ? 136 : 170,
        cell: (exchange) => <OutcomeWord outcome={outcomeOf(exchange)} />,
      },
      {
        id: 'latency',
        title: t('column.latency'),
        width: 96,
        isNumber: true,
        cell: ({ answer }) => formats.latency(answer?.latencyMs),
      },
      {
        id: 'payload',
        title: t('column.payload'),
        width: 200,
        grow: true,
        cell: (exchange) => <code className={styles['summary']}>{summaryOf(exchange)}</code>,
      },
    ];
    return columns.filter(({ id }) => shown[width].includes(id));
  }, [t, formats, width]);
}
