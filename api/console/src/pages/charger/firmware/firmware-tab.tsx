import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../app/caller.tsx';
import { absent, useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, Facts } from '../../../ui/card.tsx';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import type { TabProps } from '../tabs.tsx';
import { firmwareStatusQuery, progressQuery } from './firmware-queries.ts';
import { Images } from './images.tsx';
import { UpdateDialog } from './update-dialog.tsx';
import styles from './firmware.module.css';
import { CircleCheck, CircleDot, CircleX, Loader } from '../../../ui/icons/icons.ts';
import type { Schemas } from '../../../api/client.ts';

const icons = { passed: CircleDot, running: Loader, succeeded: CircleCheck, failed: CircleX };

/** Statuses of an update in their order, the last with its outcome. */
function UpdateTimeline({ chargerId, update }: { chargerId: string; update: Schemas['FirmwareUpdate'] }) {
  const { t } = useTranslation('firmware');
  const formats = useFormats();
  const progress = useQuery(progressQuery(chargerId, update));
  const reported = progress.data ?? [];
  // The log is written up to two seconds later than the status, and can lack messages.
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

/** Firmware of a charger: the running version, its latest update, and the images of its model. */
export function FirmwareTab({ charger }: TabProps) {
  const { t } = useTranslation(['firmware', 'common']);
  const formats = useFormats();
  const canUpdate = useCan('cpms:command:firmware');
  const canReadCatalog = useCan('cpms:read:catalog');
  const status = useQuery(firmwareStatusQuery(charger.id));
  /** Image to update to; an empty text leaves the choice to the dialog. */
  const [image, setImage] = useState<string | null>(null);
  const update = status.data?.lastFirmwareUpdate ?? null;
  return (
    <div className={styles['tab']}>
      <Card
        title={t('title')}
        actions={
          canUpdate && (
            <Button kind="primary" onPress={() => setImage('')} isDisabled={!charger.isConnected}>
              {t('update.open')}
            </Button>
          )
        }
      >
        {status.isPending && <Skeleton height={120} />}
        {status.error !== null && <ErrorNotice error={status.error} retry={() => void status.refetch()} />}
        {status.data !== undefined && (
          <Facts
            facts={[
              [t('running'), status.data.currentFirmwareVersion ?? t('common:notReported')],
              [t('model'), [charger.manufacturerName, charger.modelName].filter(Boolean).join(' ') || absent],
              [t('lastUpdate'), update === null ? t('never') : formats.dateTime(update.requestedAt)],
              ...(update === null
                ? []
                : [
                    [t('target'), update.firmwareVersion ?? t('byUrl')] as [string, string],
                    [t('location'), update.location] as [string, string],
                  ]),
            ]}
          />
        )}
        {status.data !== undefined &&
          (update === null ? (
            <Empty title={t('noUpdate')} />
          ) : (
            <UpdateTimeline chargerId={charger.id} update={update} />
          ))}
      </Card>
      {canReadCatalog && charger.modelUuid !== null && (
        <Images
          modelId={charger.modelUuid}
          running={status.data?.currentFirmwareVersion ?? null}
          onUpdate={canUpdate && charger.isConnected ? setImage : null}
        />
      )}
      {image !== null && <UpdateDialog charger={charger} imageId={image} onClose={() => setImage(null)} />}
    </div>
  );
}
