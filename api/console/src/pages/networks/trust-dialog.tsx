import { FormDialog } from '../../ui/form.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../api/client.ts';
import { fieldErrors } from '../../ui/field-errors.tsx';
import { TextArea } from '../../ui/field.tsx';
import { FileField } from '../../ui/file-field.tsx';
import type { Network } from './network-fields.ts';
import { trustedQuery } from './network-queries.ts';

/** Adds a certificate authority that a network trusts. */
export function TrustDialog({ network, onClose }: { network: Network; onClose: () => void }) {
  const { t } = useTranslation(['networks', 'common']);
  const queries = useQueryClient();
  const [pem, setPem] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const adding = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/cpms/v1/networks/{uuid}/trusted-certificates', {
          params: { path: { uuid: network.id } },
          body: { certificate: pem.trim() },
        }),
      ),
    onSuccess: async () => {
      onClose();
      await queries.invalidateQueries({ queryKey: trustedQuery(network.id).queryKey });
    },
  });
  return (
    <FormDialog
      title={t('trusted.add')}
      action={t('trusted.add')}
      saving={adding}
      shown={['certificate']}
      onSubmit={() => adding.mutate()}
      onClose={onClose}
    >
      <FileField
        label={t('trusted.file')}
        choose={t('trusted.choose')}
        file={file}
        accepts={['.pem', '.crt', '.cer', '.txt']}
        onChange={(chosen) => {
          setFile(chosen);
          void chosen.text().then(setPem);
        }}
      />
      <TextArea
        label={t('trusted.pem')}
        value={pem}
        onChange={setPem}
        placeholder="-----BEGIN CERTIFICATE-----"
        rows={8}
        maxLength={5500}
        isRequired
        isCode
        {...fieldErrors(adding.error)('certificate')}
      />
    </FormDialog>
  );
}
