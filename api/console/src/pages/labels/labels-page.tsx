import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useNetworks } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import { ChargerChoice, LocationChoice } from '../../ui/fleet-choice.tsx';
import { Printer } from '../../ui/icons/icons.ts';
import { Empty, QueryPending } from '../../ui/notice.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { plugName } from '../charger/connectors/plug-name.ts';
import { chargingAddress, type Label, type LabelChoice, labelsQuery, maxLabels } from './label-queries.ts';
import page from '../../ui/layout.module.css';
import styles from './labels.module.css';

/** Labels with QR codes for the connectors of a location or a charger, to print. */
export function LabelsPage() {
  const { t } = useTranslation('labels');
  const { location, charger } = useSearch({ from: '/signed-in/fleet/labels' });
  const navigate = useNavigate({ from: '/fleet/labels' });
  const choice = { location, charger };
  const labels = useQuery(labelsQuery(choice));
  const choose = (next: LabelChoice) =>
    void navigate({ search: ({ network }) => ({ network, ...next }), replace: true });
  return (
    <div className={page['page']}>
      <header className={`${page['header']} ${styles['screen']}`}>
        <h1>{t('title')}</h1>
        <Button kind="primary" isDisabled={!labels.data?.length} onPress={() => globalThis.print()}>
          <Printer aria-hidden size={15} />
          {t('print')}
        </Button>
      </header>
      <search className={`${styles['choice']} ${styles['screen']}`} aria-label={t('choice')}>
        <LocationChoice
          label={t('location')}
          placeholder={t('chooseLocation')}
          value={location}
          onChange={(id) => choose({ location: id })}
        />
        <ChargerChoice
          label={t('charger')}
          placeholder={t('chooseCharger')}
          value={charger}
          onChange={(id) => choose({ charger: id })}
        />
      </search>
      <Labels labels={labels} isChosen={location !== undefined || charger !== undefined} />
    </div>
  );
}

function Labels({
  labels: { data, error, refetch },
  isChosen,
}: {
  labels: { data: Label[] | undefined; error: Error | null; refetch: () => unknown };
  isChosen: boolean;
}) {
  const { t } = useTranslation('labels');
  const networks = useNetworks();
  if (!isChosen) return <Empty title={t('nothingChosen')} />;
  if (data === undefined) {
    return <QueryPending query={{ error, refetch }} height={320} />;
  }
  if (data.length === 0) return <Empty title={t('noConnectors')} />;
  const network = networks.find(({ networkId }) => networkId === data[0]?.connector.networkId);
  if (network === undefined || network.chargingUrl === null) {
    return (
      <Empty title={t('noAddress')}>
        <p>{t('noAddressHint')}</p>
        {network !== undefined && (
          <Link to="/settings/network/$uuid" params={{ uuid: network.id }}>
            {t('setAddress', { network: network.name })}
          </Link>
        )}
      </Empty>
    );
  }
  const { chargingUrl, name } = network;
  return (
    <>
      {data.length === maxLabels && <p className={styles['screen']}>{t('limited', { count: maxLabels })}</p>}
      <ul className={styles['labels']}>
        {data.map((label) => (
          <LabelCard
            key={label.connector.id}
            label={label}
            network={name}
            address={chargingAddress(chargingUrl, label)}
          />
        ))}
      </ul>
    </>
  );
}

/** One label. The address is printed as well, for telephones that read no codes. */
function LabelCard({
  label: { connector, charger },
  network,
  address,
}: {
  label: Label;
  network: string;
  address: string;
}) {
  const { t } = useTranslation('labels');
  const plug = plugName(connector.standard);
  return (
    <li className={styles['label']}>
      <QrCode text={address} label={t('code', { charger: charger.uid, number: connector.number })} />
      <div className={styles['texts']}>
        <p className={styles['network']}>{network}</p>
        <p className={styles['name']}>{charger.uid}</p>
        <p>
          {t('connector', { number: connector.number })}
          {plug !== null && ` · ${plug}`}
        </p>
        {charger.locationName !== null && <p>{charger.locationName}</p>}
        <p className={styles['address']}>{address}</p>
      </div>
    </li>
  );
}
