import { ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import { useMutation, useQueryClient, useQuery } from '@tanstack/react-query';
import { PlugZap, TriangleAlert } from '../../ui/icons/icons.ts';
import { useState, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useCaller } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import form from '../../ui/form.module.css';
import { addConnectors, type ChargerDraft, registerCharger, simulate } from './start-api.ts';
import styles from './start.module.css';
import { Link } from '@tanstack/react-router';
import { RelativeTime } from '../../ui/time.tsx';
import { awaitedRejectionsQuery } from '../rejected-connections/rejected-connections-queries.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

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
        ocppVersion: ocppVersions[0],
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

const watchMs = 2000;

/** Attempts of the awaited charger that were rejected, and of unknown identities, while the page waits for its connection. */
function Rejections({ charger }: { charger: Schemas['Charger'] }) {
  const { t } = useTranslation(['start', 'rejectedConnections']);
  const { data = [] } = useQuery(awaitedRejectionsQuery(charger.id, watchMs));
  return (
    <ul className={styles['rejections']} aria-live="polite" aria-label={t('rejectedConnections:title')}>
      {data.map(({ id, identity, reason, chargerId, remoteAddress, attempts, lastAt }) => (
        <li key={id}>
          <TriangleAlert aria-hidden size={16} />
          <span>
            <strong>{identity}</strong>: {t(`rejectedConnections:reasons.${reason}`)}{' '}
            {t('connect.attempts', { count: attempts, address: remoteAddress })},{' '}
            <RelativeTime value={lastAt} />.{' '}
            {chargerId === null && (
              <Link to="/start" search={{ charger: 'new', identity }}>
                {t('rejectedConnections:register')}
              </Link>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

const QrCode = lazy(async () => ({ default: (await import('../../ui/qr-code.tsx')).QrCode }));

interface CredentialsProps {
  ocppUrl: string;
  user: string;
  /** Null: the password was shown before. */
  password: string | null;
}

/** Data that a charger needs to connect, to copy and as a QR code. */
function Credentials({ ocppUrl, user, password }: CredentialsProps) {
  const { t } = useTranslation('start');
  const values = [
    { name: t('credentials.address'), value: ocppUrl },
    { name: t('credentials.user'), value: user },
    ...(password === null ? [] : [{ name: t('credentials.password'), value: password }]),
  ];
  return (
    <>
      <p className={styles['once']}>{t(password === null ? 'credentials.gone' : 'credentials.once')}</p>
      <div className={styles['credentials']}>
        <dl className={styles['values']}>
          {values.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{value}</code>
                <CopyButton text={value} label={t('credentials.copy', { name })} />
              </dd>
            </div>
          ))}
        </dl>
        <Suspense fallback={<Skeleton width={168} height={168} />}>
          <QrCode
            text={values.map(({ value }) => value).join('\n')}
            label={t(password === null ? 'credentials.qrPublic' : 'credentials.qr')}
          />
        </Suspense>
      </div>
    </>
  );
}
