import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { discardEdits, type Edits } from './edits.ts';
import { sendEdits } from './send-edits.ts';
import type { Setting } from './setting.ts';
import styles from './configuration.module.css';

/** Number of unsent changes, with the buttons that send or discard them. */
export function SendBar({
  chargerId,
  settings,
  edits,
}: {
  chargerId: string;
  settings: readonly Setting[];
  edits: Edits;
}) {
  const { t } = useTranslation('configuration');
  const sending = useMutation({
    mutationFn: () =>
      sendEdits(
        chargerId,
        settings.flatMap((setting) => {
          const value = edits.values.get(setting.id);
          return value === undefined ? [] : [{ setting, value }];
        }),
      ),
  });
  const count = edits.values.size;
  const outcomes = [...edits.outcomes.values()].map(({ state }) => state);
  const results = (['accepted', 'reboot', 'rejected'] as const)
    .map((state) => [state, outcomes.filter((each) => each === state).length] as const)
    .filter(([, number]) => number > 0)
    .map(([state, number]) => `${t(`state.${state}`)}: ${number}`);
  if (count === 0 && results.length === 0) return null;
  return (
    <div className={styles['send']}>
      <span role="status">
        {[count === 0 ? null : t('changes', { count }), ...results]
          .filter((part) => part !== null)
          .join(' · ')}
      </span>
      {count > 0 && (
        <>
          <Button onPress={() => discardEdits(chargerId)} isDisabled={sending.isPending}>
            {t('discard')}
          </Button>
          <Button kind="primary" onPress={() => sending.mutate()} isDisabled={sending.isPending}>
            {t(sending.isPending ? 'sending' : 'send')}
          </Button>
        </>
      )}
    </div>
  );
}
