import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { fieldErrors, FormError } from '../../ui/field-errors.tsx';
import { TextArea } from '../../ui/field.tsx';
import { FileField } from '../../ui/file-field.tsx';
import form from '../../ui/form.module.css';
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    adding.mutate();
  };
  return (
    <Dialog title={t('trusted.add')} isOpen onClose={onClose}>
      <form onSubmit={submit} className={form['form']}>
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
        <FormError error={adding.error} shown={['certificate']} />
        <DialogActions>
          <Button onPress={onClose}>{t('common:action.cancel')}</Button>
          <Button kind="primary" type="submit" isDisabled={adding.isPending}>
            {t('trusted.add')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
