import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { operations } from '../../api/schema.d.ts';
import { Menu } from '../../ui/menu.tsx';

type Query = NonNullable<operations['exportAuditLog']['parameters']['query']>;

/** Menu of the formats of an export: all entries of the shown filter, which the browser receives as a file. */
export function ExportMenu({ query, children }: { query: Query; children: ReactNode }) {
  const { t } = useTranslation('auditLog');
  const download = (format: 'csv' | 'ndjson') => {
    const parameters = new URLSearchParams({ ...query, format });
    location.assign(`/cpms/v1/audit-log/export?${parameters.toString()}`);
  };
  return (
    <Menu
      label={t('export')}
      trigger={children}
      groups={[
        [
          { id: 'csv', text: t('csv'), onAction: () => download('csv') },
          { id: 'ndjson', text: t('ndjson'), onAction: () => download('ndjson') },
        ],
      ]}
    />
  );
}
