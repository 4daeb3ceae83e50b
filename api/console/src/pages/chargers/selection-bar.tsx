import { ListChecks, X } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import type { useSelection } from './use-selection.ts';
import styles from './chargers-page.module.css';

interface Props {
  selected: ReturnType<typeof useSelection>;
  total: number;
  onCommand: () => void;
}

/** Number of the chosen chargers, and what can be done with them. */
export function SelectionBar({ selected: { ids, count, selectAll, clear }, total, onCommand }: Props) {
  const { t } = useTranslation('chargers');
  const formats = useFormats();
  if (count === 0) return null;
  return (
    <div role="group" aria-label={t('selection.label')} className={styles['selection']}>
      <strong role="status">{t('selection.count', { count, number: formats.integer(count) })}</strong>
      {ids !== 'all' && count < total && (
        <Button kind="quiet" onPress={selectAll}>
          {t('selection.all', { number: formats.integer(total) })}
        </Button>
      )}
      <Button kind="quiet" onPress={clear}>
        <X aria-hidden size={15} />
        {t('selection.clear')}
      </Button>
      <Button kind="primary" onPress={onCommand}>
        <ListChecks aria-hidden size={15} />
        {t('selection.command')}
      </Button>
    </div>
  );
}
