import { ListFilter } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import page from '../../ui/list-page.module.css';
import type { AuditSearch } from './audit-search.ts';

/** Filters that an entry leads to: its actor and its object. */
export function EntryFilters({
  entry: { userId, resourceId },
  onFilter,
}: {
  entry: Schemas['AuditLogEntry'];
  onFilter: (filter: AuditSearch) => void;
}) {
  const { t } = useTranslation('auditLog');
  return (
    <p className={page['actions']}>
      {userId !== null && (
        <Button kind="quiet" onPress={() => onFilter({ actor: userId })}>
          <ListFilter aria-hidden size={15} />
          {t('onlyActor')}
        </Button>
      )}
      {resourceId !== null && (
        <Button kind="quiet" onPress={() => onFilter({ object: resourceId })}>
          <ListFilter aria-hidden size={15} />
          {t('onlyObject')}
        </Button>
      )}
    </p>
  );
}
