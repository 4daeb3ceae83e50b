import { ArrowUp } from '../icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { Button } from '../button.tsx';
import type { HeldRows } from './use-held-rows.ts';

/** Button that shows the waiting rows of a list. Its place stays free while none wait. */
export function NewRows({ held: { waiting, show } }: { held: Pick<HeldRows<unknown>, 'waiting' | 'show'> }) {
  const { t } = useTranslation();
  return (
    <span role="status">
      {waiting > 0 && (
        <Button kind="quiet" onPress={show}>
          <ArrowUp aria-hidden size={15} />
          {t('table.waiting', { count: waiting })}
        </Button>
      )}
    </span>
  );
}
