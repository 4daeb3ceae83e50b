import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCaller, useCan } from '../../app/caller.tsx';
import { useObjectZone } from '../../app/page-zone.tsx';
import { useFormats } from '../../texts/formats.ts';
import { Card, Facts } from '../../ui/card.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { NetworkField } from './network-field.tsx';
import { type Network, sections, shownValue } from './network-fields.ts';
import { networkQuery } from './network-queries.ts';
import styles from './networks.module.css';
import { SaveBar } from './save-bar.tsx';
import { TrustedCertificates } from './trusted-certificates.tsx';
import { useNetworkEdits } from './use-network-edits.ts';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notify } from '../../ui/toast.tsx';

const color = /^#[0-9a-f]{6}$/;

/** Returns white or black, whichever is easier to read on a color (WCAG 2.2, relative luminance). */
function readableOn(hex: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

/** The name of the network on its colors, as apps and e-mails show it. */
function BrandPreview({ name, primary, secondary }: { name: string; primary: string; secondary: string }) {
  const { t } = useTranslation('networks');
  if (!color.test(primary)) return null;
  return (
    <div role="group" aria-label={t('preview')}>
      <p className={styles['previewTitle']}>{t('preview')}</p>
      <div
        className={styles['preview']}
        style={{
          background: primary,
          color: readableOn(primary),
          borderBottomColor: color.test(secondary) ? secondary : primary,
        }}
      >
        {name}
      </div>
    </div>
  );
}

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
  useObjectZone(read.timeZone);
  const { t } = useTranslation('networks');
  const formats = useFormats();
  const navigate = useNavigate();
  const mayWrite = useCan('cpms:write:networks');
  const { unrestricted } = useCaller();
  const changesAccounts = useCan('cpms:write:operators');
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
                isReadOnly={
                  !mayWrite ||
                  (field.isOfInstallation === true && !unrestricted) ||
                  (field.isOfAccounts === true && !changesAccounts)
                }
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

/** Deletes a network that has no chargers and no drivers. */
function DeleteNetwork({ network, onDeleted }: { network: Network; onDeleted: () => void }) {
  const { t } = useTranslation('networks');
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { id: uuid, name, version } = network;
  const deleting = useMutation({
    mutationFn: () =>
      api.DELETE('/cpms/v1/networks/{uuid}', {
        params: { path: { uuid }, header: { 'if-match': `"${version}"` } },
      }),
    onSuccess: async () => {
      onDeleted();
      notify('done', t('delete.done', { name }));
      await queries.invalidateQueries({ queryKey: ['networks'] });
    },
    onError: (error) => notify('failed', error.message),
  });
  return (
    <div>
      <Button isDangerous isDisabled={deleting.isPending} onPress={() => setAsking(true)}>
        {t('delete.action')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('delete.title', { name })}
          action={t('delete.action')}
          onConfirm={() => deleting.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t('delete.text')}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
