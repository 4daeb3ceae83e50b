import { strategies } from '#shared/domain/load/demand.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Select } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import type { LoadSite } from './load-queries.ts';
import styles from './load.module.css';
import { SiteDiagram } from './site-diagram.tsx';

const phases = ['unknown', '1', '2', '3'] as const;
type Phases = (typeof phases)[number];

interface Assumption {
  hasCar: boolean;
  isOnline: boolean;
  phases: Phases;
}

const usual: Assumption = { hasCar: true, isOnline: true, phases: 'unknown' };

/** Calculates the limits of a site for cars and stations that the operator chooses. */
export function WhatIf({ site }: { site: LoadSite }) {
  const { t } = useTranslation('load');
  const [strategy, setStrategy] = useState(site.settings.strategy);
  const [assumed, setAssumed] = useState<Record<string, Assumption>>({});
  const simulation = useMutation({
    mutationFn: () =>
      api.POST('/cpms/v1/load-sites/{uuid}/simulate', {
        params: { path: { uuid: site.id } },
        body: {
          strategy,
          connectors: site.connectors.map(({ connectorId, priority }) => {
            const { hasCar, isOnline, phases: drawn } = assumed[connectorId] ?? usual;
            const drawnPhases = drawn === 'unknown' ? null : (Number(drawn) as 1 | 2 | 3);
            return { connectorId, hasCar, isOnline, drawnPhases, priority };
          }),
        },
      }),
  });
  return (
    <div className={styles['history']}>
      <p>{t('whatIf.lead')}</p>
      <div className={styles['choices']}>
        <Select
          label={t('columns.strategy')}
          options={strategies.map((id) => ({ id, text: t(`strategy.${id}`) }))}
          value={strategy}
          onChange={setStrategy}
        />
      </div>
      <ul className={styles['rows']}>
        {site.connectors.map(({ connectorId, chargerUid, connectorNumber }) => {
          const own = assumed[connectorId] ?? usual;
          const set = (change: Partial<Assumption>) =>
            setAssumed({ ...assumed, [connectorId]: { ...own, ...change } });
          const name = t('connector', { charger: chargerUid, number: connectorNumber });
          return (
            <li key={connectorId} className={styles['assumption']}>
              <span>{name}</span>
              <Checkbox isSelected={own.hasCar} onChange={(hasCar) => set({ hasCar })}>
                {t('whatIf.car')}
              </Checkbox>
              <Checkbox isSelected={own.isOnline} onChange={(isOnline) => set({ isOnline })}>
                {t('whatIf.online')}
              </Checkbox>
              <Select
                label={t('whatIf.phasesOf', { connector: name })}
                hidesLabel
                options={phases.map((id) => ({ id, text: t(`whatIf.phases.${id}`) }))}
                value={own.phases}
                onChange={(chosen) => set({ phases: chosen })}
              />
            </li>
          );
        })}
      </ul>
      <div>
        <Button kind="primary" isDisabled={simulation.isPending} onPress={() => simulation.mutate()}>
          {t('whatIf.calculate')}
        </Button>
      </div>
      {simulation.error !== null && <ErrorNotice error={simulation.error} />}
      {simulation.data !== undefined && <SiteDiagram site={site} plan={simulation.data} mayRelease={false} />}
    </div>
  );
}
