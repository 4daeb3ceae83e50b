import { notifyFailure, useChange } from '../../../app/use-change.ts';
import { Hourglass } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../api/client.ts';
import { useCan } from '../../../app/caller.tsx';
import { Button } from '../../../ui/button.tsx';
import { commands } from '../commands/command-api.ts';
import styles from './alerts.module.css';

/** Registration of a charger that is not accepted, with the decision. */
export function Registration({ charger }: { charger: Schemas['Charger'] }) {
  const { t } = useTranslation('charger');
  const mayDecide = useCan('cpms:write:chargers');
  const decision = useChange({
    mutationFn: (status: 'Accepted' | 'Rejected') => commands.register(charger.id, status),
    invalidates: ['charger', charger.id],
    done: ({ status }) => t(`registration.now${status === 'Accepted' ? 'Accepted' : 'Rejected'}`),
    onError: notifyFailure,
  });
  const { registration, uid } = charger;
  if (registration === 'Accepted') return null;
  return (
    <div className={styles['alert']} data-severity="warning">
      <Hourglass aria-hidden size={15} />
      <span>{t(`registration.is${registration}`)}</span>
      {mayDecide && (
        <span className={styles['decision']}>
          {registration === 'Pending' && (
            <Button isDangerous isDisabled={decision.isPending} onPress={() => decision.mutate('Rejected')}>
              {t('registration.reject', { charger: uid })}
            </Button>
          )}
          <Button kind="primary" isDisabled={decision.isPending} onPress={() => decision.mutate('Accepted')}>
            {t('registration.accept', { charger: uid })}
          </Button>
        </span>
      )}
    </div>
  );
}
