import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleDot, CircleX, Loader } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../api/client.ts';
import { useFormats } from '../../../texts/formats.ts';
import { progressQuery } from './firmware-queries.ts';
import styles from './firmware.module.css';

const icons = { passed: CircleDot, running: Loader, succeeded: CircleCheck, failed: CircleX };

/** Statuses of an update in their order, the last with its outcome. */
export function UpdateTimeline({
  chargerId,
  update,
}: {
  chargerId: string;
  update: Schemas['FirmwareUpdate'];
}) {
  const { t } = useTranslation('firmware');
  const formats = useFormats();
  const progress = useQuery(progressQuery(chargerId, update));
  const reported = progress.data ?? [];
  // The log is written a second later than the status, and can lack messages.
  const isLogged = update.status === 'Requested' || reported.at(-1)?.status === update.status;
  const steps = [
    { time: update.requestedAt, status: 'Requested' },
    ...reported,
    ...(isLogged ? [] : [{ time: update.statusAt, status: update.status }]),
  ];
  return (
    <ol className={styles['timeline']} aria-label={t('timeline')}>
      {steps.map(({ time, status }, index) => {
        const isLast = index === steps.length - 1;
        const state = isLast ? (update.outcome ?? 'running') : 'passed';
        const Icon = icons[state];
        return (
          <li key={`${time} ${status}`} className={styles['step']} data-state={state}>
            <Icon aria-hidden size={16} />
            <span className={styles['status']}>
              {status}
              {isLast && (
                <span className={styles['outcome']}>{t(`outcome.${update.outcome ?? 'running'}`)}</span>
              )}
            </span>
            <time dateTime={time} className={styles['time']}>
              {formats.dateTime(time)}
            </time>
          </li>
        );
      })}
    </ol>
  );
}
