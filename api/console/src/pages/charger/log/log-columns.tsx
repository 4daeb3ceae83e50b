import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../texts/formats.ts';
import type { Column } from '../../../ui/table/columns.ts';
import { Direction } from './direction.tsx';
import type { Exchange } from './exchange-log.ts';
import { directionOf, outcomeOf, summaryOf } from './frames.ts';
import styles from './log.module.css';
import { OutcomeWord } from './outcome-word.tsx';

/** Columns of the log. */
export function useLogColumns(isNarrow: boolean): Column<Exchange>[] {
  const { t } = useTranslation('log');
  const formats = useFormats();
  return useMemo(() => {
    const columns: Column<Exchange>[] = [
      {
        id: 'time',
        title: t('column.time'),
        width: isNarrow ? 112 : 172,
        cell: ({ at }) => (
          <time dateTime={new Date(at).toISOString()} title={formats.timeZone}>
            {isNarrow
              ? formats
                  .preciseTime(at)
                  .split(/,? (?=\d\d:)/)
                  .at(-1)
              : formats.preciseTime(at)}
          </time>
        ),
      },
      {
        id: 'direction',
        title: t('column.direction'),
        width: 128,
        cell: (exchange) => <Direction direction={directionOf(exchange)} />,
      },
      {
        id: 'action',
        title: t('column.action'),
        width: 190,
        cell: ({ call, answer }) => (call ?? answer)?.action ?? t('unknownAction'),
      },
      {
        id: 'outcome',
        title: t('column.outcome'),
        width: 170,
        cell: (exchange) => <OutcomeWord outcome={outcomeOf(exchange)} />,
      },
      {
        id: 'latency',
        title: t('column.latency'),
        width: 88,
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
    return isNarrow ? columns.filter(({ id }) => id !== 'payload') : columns;
  }, [t, formats, isNarrow]);
}
