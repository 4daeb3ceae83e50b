import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { absent, useFormats } from '../../../texts/formats.ts';
import type { Column } from '../../../ui/table/columns.ts';
import type { AuditEntry } from './audit-tab.tsx';
import { useAuditWords } from './use-audit-words.ts';

const onPhone = new Set(['time', 'action', 'actor']);

/** Columns of the audit log. `hasObject`: entries concern more than one object. */
export function useAuditColumns(isPhone: boolean, hasObject = false): Column<AuditEntry>[] {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const words = useAuditWords();
  return useMemo(() => {
    const columns: Column<AuditEntry>[] = [
      {
        id: 'time',
        title: t('column.time'),
        width: isPhone ? 140 : 200,
        cell: ({ timestamp }) => (
          <time dateTime={timestamp}>
            {isPhone ? formats.shortDateTime(timestamp) : formats.dateTime(timestamp)}
          </time>
        ),
      },
      {
        id: 'action',
        title: t('column.action'),
        width: isPhone ? 96 : hasObject ? 150 : 220,
        grow: isPhone,
        cell: (entry) => <span title={entry.action}>{words.action(entry)}</span>,
      },
      {
        id: 'actor',
        title: t('column.actor'),
        width: isPhone ? 100 : hasObject ? 160 : 200,
        cell: ({ userName, userId }) => userName ?? userId ?? t('itself'),
      },
      ...(hasObject
        ? [
            {
              id: 'object',
              title: t('column.object'),
              width: 200,
              cell: ({ category, resourceName }: AuditEntry) =>
                `${words.category(category)} · ${resourceName ?? absent}`,
            },
          ]
        : []),
      {
        id: 'description',
        title: t('column.description'),
        width: 240,
        grow: true,
        cell: ({ description }) => description,
      },
      { id: 'ip', title: t('column.ip'), width: 140, cell: ({ ipAddress }) => ipAddress ?? absent },
    ];
    return isPhone ? columns.filter(({ id }) => onPhone.has(id)) : columns;
  }, [t, formats, words, isPhone, hasObject]);
}
