import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../../api/client.ts';
import { useCan } from '../../../app/caller.tsx';
import { absent, useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, Facts } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { type Column, columnsOf } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { TabProps } from '../tabs.tsx';
import { useChargerCommand } from '../use-charger-command.ts';
import { Expiry } from './expiry.tsx';
import { InstallDialog } from './install-dialog.tsx';
import { commonName, commonNameOf, oneLine } from './names.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import styles from './certificates.module.css';

type Certificate = Schemas['Certificate'];
type Shown = { kind: 'install' } | { kind: 'details' | 'delete'; certificate: Certificate };

/** Certificates that were installed on a charger. */
export function CertificatesTab({ charger }: TabProps) {
  const { t } = useTranslation('certificates');
  const canCommand = useCan('cpms:command:certificates');
  const queryKey = ['certificates', charger.id];
  const certificates = useQuery({
    queryKey,
    queryFn: () =>
      api.GET('/cpms/v1/chargers/{chargerUuid}/certificates', {
        params: { path: { chargerUuid: charger.id } },
      }),
  });
  const [shown, setShown] = useState<Shown | null>(null);
  const close = () => setShown(null);
  const remove = useChargerCommand(
    (uuid: string) =>
      api.DELETE('/cpms/v1/chargers/{chargerUuid}/certificates/{uuid}', {
        params: { path: { chargerUuid: charger.id, uuid } },
      }),
    { queryKey, done: t('delete.done') },
  );
  const columns = useColumns(canCommand ? setShown : null);
  const list = certificates.data ?? [];
  return (
    <Card
      hasPadding={false}
      title={t('title')}
      actions={
        canCommand && (
          <Button onPress={() => setShown({ kind: 'install' })} isDisabled={!charger.isConnected}>
            {t('install.open')}
          </Button>
        )
      }
    >
      {certificates.isPending && <Skeleton height={200} />}
      {certificates.error !== null && (
        <ErrorNotice error={certificates.error} retry={() => void certificates.refetch()} />
      )}
      {certificates.data?.length === 0 && <Empty title={t('empty')} />}
      {list.length > 0 && (
        <DataTable
          label={t('title')}
          columns={columns}
          count={list.length}
          rowAt={(index) => list[index]}
          keyOf={({ id }) => id}
          onOpen={(certificate) => setShown({ kind: 'details', certificate })}
          height={480}
        />
      )}
      {shown?.kind === 'install' && <InstallDialog charger={charger} queryKey={queryKey} onClose={close} />}
      {shown?.kind === 'details' && <CertificateDetails certificate={shown.certificate} onClose={close} />}
      {shown?.kind === 'delete' && (
        <ConfirmDialog
          title={t('delete.title', { name: commonName(shown.certificate) })}
          action={t('delete.action')}
          onConfirm={() => remove.mutate(shown.certificate.id)}
          onClose={close}
        >
          <p>{t('delete.detail', { type: shown.certificate.certificateType, charger: charger.uid })}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}

function useColumns(onShow: ((shown: Shown) => void) | null) {
  const { t } = useTranslation('certificates');
  const formats = useFormats();
  return useMemo(
    (): Column<Certificate>[] =>
      columnsOf(
        {
          subject: { width: 200, grow: true, cell: commonName },
          type: { width: 220, cell: ({ certificateType }) => certificateType },
          issuer: { width: 180, grow: true, cell: ({ issuer }) => commonNameOf(issuer) ?? absent },
          expires: { width: 220, cell: ({ validTo }) => <Expiry validTo={validTo} /> },
          installed: { width: 190, cell: ({ installedAt }) => formats.dateTime(installedAt) },
          actions: {
            width: 130,
            cell: (certificate) =>
              onShow !== null && (
                <Button
                  kind="quiet"
                  aria-label={t('delete.title', { name: commonName(certificate) })}
                  onPress={() => onShow({ kind: 'delete', certificate })}
                >
                  {t('delete.open')}
                </Button>
              ),
          },
        },
        (id) => t(id),
      ),
    [t, formats, onShow],
  );
}

/** All fields of a certificate, with its PEM to copy. */
function CertificateDetails({
  certificate,
  onClose,
}: {
  certificate: Schemas['Certificate'];
  onClose: () => void;
}) {
  const { t } = useTranslation('certificates');
  const formats = useFormats();
  return (
    <Dialog title={commonName(certificate)} isOpen onClose={onClose} shape="side">
      <Facts
        facts={[
          [t('subject'), oneLine(certificate.subject) ?? absent],
          [t('issuer'), oneLine(certificate.issuer) ?? absent],
          [t('type'), certificate.certificateType],
          [t('validFrom'), formats.dateTime(certificate.validFrom)],
          [t('expires'), <Expiry key="expires" validTo={certificate.validTo} />],
          [t('installed'), formats.dateTime(certificate.installedAt)],
          [t('serial'), certificate.serialNumber],
          [t('fingerprint'), certificate.fingerprint256 ?? absent],
          [t('hashAlgorithm'), certificate.hashAlgorithm],
          [t('issuerNameHash'), certificate.issuerNameHash],
          [t('issuerKeyHash'), certificate.issuerKeyHash],
        ]}
      />
      <div className={styles['pem']}>
        <div className={styles['pemTitle']}>
          <h3>PEM</h3>
          <CopyButton text={certificate.pem} label={t('copyPem')} />
        </div>
        <pre>{certificate.pem}</pre>
      </div>
    </Dialog>
  );
}
