import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure, useChange } from '../../app/use-change.ts';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { type Partner, registrationCommands } from './roaming-queries.ts';
import styles from './roaming.module.css';

/** State of the pushes to a partner by module, with their repetition. */
export function PushCard({ partner, mayWrite }: { partner: Partner; mayWrite: boolean }) {
  const { t } = useTranslation('roaming');
  const formats = useFormats();
  const resyncing = useChange({
    mutationFn: () => registrationCommands.resync(partner.id),
    invalidates: ['ocpi-partner', partner.id],
    done: ({ queued }) => t('push.queued', { count: queued, number: formats.integer(queued) }),
    onError: notifyFailure,
  });
  const { push } = partner;
  const age = (seconds: number) => (seconds === 0 ? absent : formats.duration(seconds));
  return (
    <Card
      title={t('push.title')}
      actions={
        mayWrite && partner.status === 'REGISTERED' ? (
          <Button onPress={() => resyncing.mutate()} isDisabled={resyncing.isPending}>
            {t('push.resync')}
          </Button>
        ) : undefined
      }
    >
      <Facts
        facts={[
          [t('push.lastSent'), <RelativeTime key="sent" value={push.lastSentAt} />],
          [t('push.lastFailed'), <RelativeTime key="failed" value={push.lastFailedAt} />],
          ...(push.nextTryAt === null
            ? []
            : [
                [t('push.nextTry'), <RelativeTime key="next" value={push.nextTryAt} />] satisfies [
                  string,
                  ReactNode,
                ],
              ]),
        ]}
      />
      {push.lastError !== null && <p className={styles['failure']}>{push.lastError}</p>}
      <table className={styles['modules']}>
        <thead>
          <tr>
            <th scope="col">{t('push.module')}</th>
            <th scope="col">{t('column.waiting')}</th>
            <th scope="col">{t('push.failing')}</th>
            <th scope="col">{t('push.oldest')}</th>
          </tr>
        </thead>
        <tbody>
          {push.modules.map(({ module, waiting, failing, lagSeconds }) => (
            <tr key={module}>
              <th scope="row">
                <Link to="/roaming/exchanges" search={{ partner: partner.id, module }}>
                  {module}
                </Link>
              </th>
              <td>{formats.integer(waiting)}</td>
              <td>{formats.integer(failing)}</td>
              <td>{age(Math.round(lagSeconds))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
