import { useMutation } from '@tanstack/react-query';
import { Zap } from '../../ui/icons/icons.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import form from '../../ui/form.module.css';
import { startSession } from './start-api.ts';
import styles from './start.module.css';

/** Time in ms that an accepted start has for its session. Chargers end a start without a cable after about a minute. */
const patienceMs = 60_000;

interface Props {
  charger: Schemas['Charger'];
  /** The page looks for the session from now on. */
  onStarted: () => void;
}

/** Last step: a session that is started remotely. */
export function SessionStep({ charger, onStarted }: Props) {
  const { t } = useTranslation('start');
  const connector = charger.connectors[0]?.number ?? 1;
  const starting = useMutation({
    mutationFn: () => startSession(charger.id, connector),
    onSuccess: ({ accepted }) => accepted && onStarted(),
  });
  const { data: answer, error } = starting;
  const isAccepted = answer?.accepted === true;
  // When the start whose session did not come was sent.
  const [overdue, setOverdue] = useState(0);
  const isWaiting = isAccepted && overdue !== starting.submittedAt;
  useEffect(() => {
    if (!isAccepted) return;
    const timer = setTimeout(() => setOverdue(starting.submittedAt), patienceMs);
    return () => clearTimeout(timer);
  }, [isAccepted, starting.submittedAt]);
  const failure = error?.message ?? (answer?.accepted === false ? answer.message : null);
  return (
    <>
      <p>{t('session.why')}</p>
      {isAccepted && !isWaiting && <p role="status">{t('session.overdue', { charger: charger.uid })}</p>}
      {isWaiting ? (
        <p className={styles['waiting']} role="status">
          <Zap aria-hidden size={16} />
          {t('session.waiting', { charger: charger.uid })}
        </p>
      ) : (
        <div className={styles['actions']}>
          <Button kind="primary" isDisabled={starting.isPending} onPress={() => starting.mutate()}>
            {t(starting.isPending ? 'sending' : 'session.action', { number: connector })}
          </Button>
        </div>
      )}
      {failure !== null && (
        <p role="alert" className={form['error']}>
          {failure}
        </p>
      )}
    </>
  );
}
