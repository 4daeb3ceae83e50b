import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { Select, TextArea, TextField } from '../../../ui/field.tsx';
import { FileField } from '../../../ui/file-field.tsx';
import form from '../../../ui/form.module.css';
import { notify } from '../../../ui/toast.tsx';

const versions = ['1.6,2.0.1', '1.6', '2.0.1'] as const;

interface Draft {
  version: string;
  ocpp: (typeof versions)[number];
  notes: string;
}

/** Creates a firmware image of the model and uploads its bytes. */
export function UploadDialog({ modelId, onClose }: { modelId: string; onClose: () => void }) {
  const { t } = useTranslation(['firmware', 'common']);
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>({ version: '', ocpp: versions[0], notes: '' });
  const [file, setFile] = useState<File | null>(null);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const uploading = useMutation({
    mutationFn: async () => {
      if (file !== null) await upload(modelId, draft, file);
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['firmware', 'images', modelId] });
      notify('done', t('upload.done', { version: draft.version }));
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    uploading.mutate();
  };
  return (
    <Dialog title={t('upload.title')} isOpen onClose={onClose}>
      <form onSubmit={submit} className={form['form']}>
        <FileField label={t('images.file')} choose={t('upload.choose')} file={file} onChange={setFile} />
        <TextField
          label={t('images.version')}
          value={draft.version}
          onChange={(version) => change({ version })}
          isRequired
          maxLength={50}
        />
        <Select
          label={t('upload.ocpp')}
          options={versions.map((id) => ({ id, text: id.replace(',', ', ') }))}
          value={draft.ocpp}
          onChange={(ocpp) => change({ ocpp })}
        />
        <TextArea
          label={t('images.notes')}
          value={draft.notes}
          onChange={(notes) => change({ notes })}
          maxLength={10_000}
        />
        {uploading.error !== null && (
          <p role="alert" className={form['error']}>
            {uploading.error.message}
          </p>
        )}
        <DialogActions>
          <Button onPress={onClose}>{t('common:action.cancel')}</Button>
          <Button kind="primary" type="submit" isDisabled={file === null || uploading.isPending}>
            {t(uploading.isPending ? 'upload.sending' : 'upload.action')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

async function upload(modelId: string, { version, ocpp, notes }: Draft, file: File): Promise<void> {
  const image = await dataOf(
    api.POST('/cpms/v1/charger-models/{modelId}/firmware', {
      params: { path: { modelId } },
      body: {
        version: version.trim(),
        fileName: file.name.replaceAll(/[^A-Za-z0-9._-]/g, '_').replace(/^\./, '_'),
        ocppVersionSupport: ocpp,
        ...(notes.trim() === '' ? {} : { releaseNotes: notes.trim() }),
      },
    }),
  );
  await dataOf(
    api.PUT('/cpms/v1/firmware-images/{id}/content', {
      params: { path: { id: image.id } },
      headers: { 'content-type': 'application/octet-stream' },
      body: '',
      // The bytes are sent as they are.
      bodySerializer: () => file,
    }),
  );
}
