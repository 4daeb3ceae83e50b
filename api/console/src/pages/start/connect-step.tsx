import { useMutation, useQueryClient } from '@tanstack/react-query';
import { PlugZap } from '../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useCaller } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import form from '../../ui/form.module.css';
import { Credentials } from './credentials.tsx';
import { Rejections } from './rejections.tsx';
import { addConnectors, type ChargerDraft, registerCharger, simulate } from './start-api.ts';
import styles from './start.module.css';

interface Props {
  network: Schemas['Network'];
  charger: Schemas['Charger'];
  /** Password of the charger; null after the page was loaded again. */
  password: string | null;
  onCreated: (charger: Schemas['CreatedCharger']) => void;
}

/** Fourth step: the data for the charger, until it is connected; or a simulated charger instead. */
export function ConnectStep({ network, charger, password, onCreated }: Props) {
  const { t } = useTranslation('start');
  const queries = useQueryClient();
  const { ocppUrl, simulatedChargers } = useCaller();
  // A charger whose connectors failed gets them by the next attempt.
  const [registered, setRegistered] = useState<Schemas['CreatedCharger'] | null>(null);
  const simulating = useMutation({
    mutationFn: async () => {
      if (password !== null) return simulate(charger.id, password);
      // The password of this charger is not known any more.
      const draft: ChargerDraft = {
        serial: `SIM-${Date.now().toString(36).toUpperCase()}`,
        locationUuid: charger.locationUuid ?? undefined,
        modelUuid: undefined,
        ocppVersion: '1.6',
        connectors: 1,
        kind: 'ac11',
      };
      const another = registered ?? (await registerCharger(network.id, draft));
      setRegistered(another);
      await addConnectors(another.id, draft);
      onCreated(another);
      return simulate(another.id, another.ocppPassword);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['charger'] }),
  });
  return (
    <>
      <p>{t('connect.why')}</p>
      <Credentials
        ocppUrl={`${ocppUrl}/${encodeURIComponent(charger.uid)}`}
        user={charger.uid}
        password={password}
      />
      {isLoopback(ocppUrl) && (
        <p className={styles['unreachable']}>{t('connect.loopback', { address: ocppUrl })}</p>
      )}
      <p className={styles['waiting']} role="status">
        <PlugZap aria-hidden size={16} />
        {t('connect.waiting', { charger: charger.uid })}
      </p>
      <Rejections charger={charger} />
      {simulatedChargers && (
        <div className={styles['actions']}>
          <Button kind="primary" isDisabled={simulating.isPending} onPress={() => simulating.mutate()}>
            {t(simulating.isPending ? 'connect.simulating' : 'connect.simulate')}
          </Button>
          <span className={form['hint']}>
            {t(password === null ? 'connect.simulateAnother' : 'connect.simulateHint')}
          </span>
        </div>
      )}
      {simulating.error !== null && (
        <p role="alert" className={form['error']}>
          {simulating.error.message}
        </p>
      )}
    </>
  );
}

/** Returns true for an address of this machine only, which no charger can reach. */
function isLoopback(ocppUrl: string): boolean {
  const { hostname } = new URL(ocppUrl);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
