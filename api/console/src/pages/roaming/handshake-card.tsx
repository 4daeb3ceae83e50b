import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { type Partner, registrationCommands } from './roaming-queries.ts';
import { failedStepOf, StepList } from './step-list.tsx';
import { Invited } from './they-begin.tsx';
import { type Access, AccessForm } from './we-begin.tsx';
import styles from './roaming.module.css';

/** Open registration of a partner: the latest failure, and the ways on. Nothing for a registered partner. */
export function HandshakeCard({ partner }: { partner: Partner }) {
  const { t } = useTranslation('roaming');
  const queries = useQueryClient();
  const [isEntering, setEntering] = useState(false);
  const settled = () => queries.invalidateQueries({ queryKey: ['ocpi-partner', partner.id] });
  const isRenewal = partner.registration === 'RENEWING';
  const running = useMutation({
    mutationFn: (access: Access | undefined) =>
      isRenewal
        ? registrationCommands.rotate(partner.id)
        : registrationCommands.handshake(partner.id, access),
    // The variables hold a token, as the result of an invitation does.
    gcTime: 0,
    onSettled: settled,
  });
  const inviting = useMutation({
    mutationFn: () => registrationCommands.renewInvitation(partner.id),
    gcTime: 0,
  });
  if (partner.registration === 'REGISTERED') return null;
  const { handshake } = partner;
  const failedStep = failedStepOf(running.error) ?? handshake?.failedStep ?? null;
  const isRunning = running.isPending || handshake?.isRunning === true;
  return (
    <Card title={t('handshake.title')}>
      <div className={styles['form']}>
        <p>{t(`handshake.state.${partner.registration}`)}</p>
        {handshake !== null && (
          <StepList
            isRunning={isRunning}
            done={null}
            failedStep={failedStep}
            error={running.error?.message ?? handshake.error}
          />
        )}
        {inviting.data !== undefined && <Invited invitation={inviting.data} />}
        {isEntering ? (
          <AccessForm isComplete running={running} />
        ) : (
          <div className={styles['badges']}>
            {handshake !== null && (
              <Button kind="primary" isDisabled={isRunning} onPress={() => running.mutate(undefined)}>
                {t('handshake.continue')}
              </Button>
            )}
            {!isRenewal && <Button onPress={() => setEntering(true)}>{t('handshake.enter')}</Button>}
            {!isRenewal && (
              <Button isDisabled={inviting.isPending} onPress={() => inviting.mutate()}>
                {t('handshake.invite')}
              </Button>
            )}
          </div>
        )}
        {inviting.error !== null && (
          <p role="alert" className={styles['failure']}>
            {inviting.error.message}
          </p>
        )}
      </div>
    </Card>
  );
}
