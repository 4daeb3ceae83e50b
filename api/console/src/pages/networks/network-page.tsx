import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCaller, useCan } from '../../app/caller.tsx';
import { useFormats } from '../../texts/formats.ts';
import { Card, Facts } from '../../ui/card.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { BrandPreview } from './brand-preview.tsx';
import { DeleteNetwork } from './delete-network.tsx';
import { NetworkField } from './network-field.tsx';
import { type Network, sections, shownValue } from './network-fields.ts';
import { networkQuery } from './network-queries.ts';
import styles from './networks.module.css';
import { SaveBar } from './save-bar.tsx';
import { TrustedCertificates } from './trusted-certificates.tsx';
import { useNetworkEdits } from './use-network-edits.ts';

/** One network: all that can be set, and the authorities that it trusts. */
export function NetworkPage() {
  const { uuid } = useParams({ from: '/signed-in/settings/network/$uuid' });
  const { data, error, refetch } = useQuery(networkQuery(uuid));
  if (data !== undefined) return <NetworkForm key={data.id} network={data} />;
  if (error !== null) return <ErrorNotice error={error} retry={() => void refetch()} />;
  return (
    <div className={styles['page']}>
      <Skeleton width={240} height={28} />
      <Skeleton height={240} />
      <Skeleton height={320} />
    </div>
  );
}

function NetworkForm({ network: read }: { network: Network }) {
  const { t } = useTranslation('networks');
  const formats = useFormats();
  const navigate = useNavigate();
  const mayWrite = useCan('cpms:write:networks');
  const { unrestricted } = useCaller();
  const seesLog = useCan('cpms:read:audit-log');
  const editing = useNetworkEdits(read);
  const { network, edits, edit, saving, wrong } = editing;
  const textOf = (name: 'name' | 'primaryColor' | 'secondaryColor') =>
    String(shownValue(network, edits, name));
  return (
    <div className={styles['page']}>
      <header className={styles['header']}>
        <div>
          <p className={styles['back']}>
            <Link to="/settings/network">{t('title')}</Link>
          </p>
          <h1>{network.name}</h1>
        </div>
        {seesLog && (
          <Link to="/settings/audit-log" search={{ object: network.id }}>
            {t('changesLink')}
          </Link>
        )}
      </header>
      <Card>
        <Facts
          facts={[
            [t('field.slug'), network.slug],
            [t('field.currency'), network.currency],
            [t('number'), String(network.networkId)],
            [t('created'), formats.dateTime(network.createdAt)],
            [t('updated'), formats.dateTime(network.updatedAt)],
          ]}
        />
      </Card>
      {sections.map(({ id, fields }) => (
        <Card key={id} title={t(`section.${id}`)}>
          {(id === 'seller' || id === 'branding') && (
            <p className={styles['hint']}>{t(`sectionHint.${id}`)}</p>
          )}
          <div className={styles['fields']}>
            {fields.map((field) => (
              <NetworkField
                key={field.name}
                field={field}
                value={shownValue(network, edits, field.name)}
                currency={network.currency}
                isReadOnly={!mayWrite || (field.isOfInstallation === true && !unrestricted)}
                isWrongNumber={wrong.includes(field.name)}
                error={saving.error}
                onChange={edit}
              />
            ))}
          </div>
          {id === 'branding' && (
            <BrandPreview
              name={textOf('name')}
              primary={textOf('primaryColor')}
              secondary={textOf('secondaryColor')}
            />
          )}
        </Card>
      ))}
      <TrustedCertificates network={network} mayWrite={mayWrite} />
      {mayWrite && (
        <DeleteNetwork
          network={network}
          onDeleted={() => void navigate({ to: '/settings/network', search: { network: undefined } })}
        />
      )}
      <SaveBar editing={editing} />
    </div>
  );
}
