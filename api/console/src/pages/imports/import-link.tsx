import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { FileUp } from '../../ui/icons/icons.ts';
import type { KindName } from './import-queries.ts';

/** Leads from a list to the import of its records, for callers who may write them. */
export function ImportLink({ kind, scope }: { kind: KindName; scope: string }) {
  const { t } = useTranslation();
  if (!useCan(scope)) return null;
  return (
    <Link to="/imports" search={{ kind }} className={buttonClass('quiet')}>
      <FileUp aria-hidden size={15} />
      {t('action.import')}
    </Link>
  );
}
