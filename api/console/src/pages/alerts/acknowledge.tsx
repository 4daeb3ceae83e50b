import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import type { Alert } from './alerts-search.ts';
import { useSettling } from './alerts-queries.ts';

/** Button that acknowledges an open alert where it is listed, for those who may. */
export function Acknowledge({ alert }: { alert: Alert }) {
  const { t } = useTranslation('alerts');
  const may = useCan('cpms:write:alerts');
  const settling = useSettling();
  if (!may || alert.status !== 'open') return null;
  return (
    <Button
      kind="quiet"
      isDisabled={settling.isPending}
      aria-label={t('panel.acknowledgeOne', { kind: t(`kind.${alert.kind}`), object: alert.resourceName })}
      onPress={() => settling.mutate({ id: alert.id, action: 'acknowledge' })}
    >
      {t('panel.acknowledge')}
    </Button>
  );
}
