import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useNetworks } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Download } from '../../ui/icons/icons.ts';
import { NetworkSelect } from '../people/network-select.tsx';
import type { Import, ImportKind } from './import-queries.ts';
import { KindColumns } from './kind-columns.tsx';
import styles from './imports.module.css';

interface Props {
  kind: ImportKind;
  onUploaded: (uploaded: Import) => void;
}

/** First step: the template, the columns, and the file. */
export function UploadCard({ kind, onUploaded }: Props) {
  const { t } = useTranslation('imports');
  const chosen = useNetworkQuery().networkUuid;
  const networks = useNetworks();
  const [network, setNetwork] = useState(chosen ?? (networks.length === 1 ? networks[0]?.id : undefined));
  const [file, setFile] = useState<File | null>(null);
  const queries = useQueryClient();
  const uploading = useMutation({
    mutationFn: async (sent: File) => upload(kind.kind, network, sent),
    onSuccess: async (uploaded) => {
      onUploaded(uploaded);
      await queries.invalidateQueries({ queryKey: ['imports'] });
    },
  });
  const isReady = file !== null && network !== undefined && !uploading.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file !== null && isReady) uploading.mutate(file);
  };
  return (
    <>
      <Card
        title={t('upload.title')}
        actions={
          <a href={`/cpms/v1/import-kinds/${kind.kind}/template`} download className={buttonClass('quiet')}>
            <Download aria-hidden size={15} />
            {t('upload.template')}
          </a>
        }
      >
        <form className={styles['upload']} onSubmit={submit}>
          <p>{t('upload.hint')}</p>
          {chosen === undefined && <NetworkSelect value={network ?? null} onChange={setNetwork} />}
          <FileField
            label={t('upload.file')}
            choose={t('upload.choose')}
            file={file}
            accepts={['.csv', 'text/csv']}
            onChange={(next) => {
              uploading.reset();
              setFile(next);
            }}
          />
          {uploading.error !== null && (
            <p role="alert" className={styles['failure']}>
              {uploading.error.message}
            </p>
          )}
          <div>
            <Button kind="primary" type="submit" isDisabled={!isReady}>
              {t(uploading.isPending ? 'upload.sending' : 'upload.action')}
            </Button>
          </div>
        </form>
      </Card>
      <KindColumns kind={kind} />
    </>
  );
}

function upload(kind: ImportKind['kind'], networkId: string | undefined, file: File) {
  return api.POST('/cpms/v1/imports', {
    params: {
      query: {
        kind,
        fileName: file.name.slice(-200).replaceAll(/[/\\]/g, '_'),
        ...(networkId !== undefined && { networkId }),
      },
    },
    headers: { 'content-type': 'text/csv' },
    body: '',
    // The bytes are sent as they are.
    bodySerializer: () => file,
  });
}
