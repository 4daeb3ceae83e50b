import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/field-errors.tsx';
import { fieldNames } from './network-fields.ts';
import styles from './networks.module.css';
import type { useNetworkEdits } from './use-network-edits.ts';

/** Bar below the form: what is not saved, why it was not, and the buttons. */
export function SaveBar({
  editing: { network, changes, wrong, conflict, saving, discard },
}: {
  editing: ReturnType<typeof useNetworkEdits>;
}) {
  const { t } = useTranslation(['networks', 'common']);
  if (changes === 0 && wrong.length === 0) return null;
  return (
    <section className={styles['save']} aria-label={t('unsaved')}>
      <div className={styles['reason']}>
        <p>{t('changes', { count: changes })}</p>
        <FormError error={saving.error} shown={fieldNames} />
        {saving.error !== null && <p className={styles['failed']}>{t('notSaved')}</p>}
        {conflict !== null && (
          <div role="alert" className={styles['conflict']}>
            <p>{t('conflict.text')}</p>
            {conflict.fields.map((name) => (
              <p key={name}>
                {t('conflict.field', {
                  field: t(`field.${name}`),
                  value: String(network[name] ?? t('common:none')),
                })}
              </p>
            ))}
          </div>
        )}
      </div>
      <div className={styles['buttons']}>
        <Button onPress={discard}>{t('discard')}</Button>
        <Button
          kind="primary"
          isDisabled={saving.isPending || wrong.length > 0 || changes === 0}
          onPress={() => saving.mutate()}
        >
          {t(conflict === null ? 'common:action.save' : 'conflict.save')}
        </Button>
      </div>
    </section>
  );
}
