import { ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import { useChange } from '../../../app/use-change.ts';
import { bound } from '../../../ui/bound.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { Select, TextArea, TextField } from '../../../ui/field.tsx';
import { FileField } from '../../../ui/file-field.tsx';

const versions = [ocppVersions.join(','), ...ocppVersions] as const;

interface Draft {
  version: string;
  ocpp: string;
  notes: string;
}

/** Creates a firmware image of the model and uploads its bytes. */
export function UploadDialog({ modelId, onClose }: { modelId: string; onClose: () => void }) {
  const { t } = useTranslation(['firmware', 'common']);
  const [draft, setDraft] = useState<Draft>({ version: '', ocpp: versions[0], notes: '' });
  const [file, setFile] = useState<File | null>(null);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const uploading = useChange({
    mutationFn: async () => {
      if (file !== null) await upload(modelId, draft, file);
    },
    invalidates: ['firmware', 'images', modelId],
    done: () => t('upload.done', { version: draft.version }),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={t('upload.title')}
      action={t(uploading.isPending ? 'upload.sending' : 'upload.action')}
      saving={uploading}
      isReady={file !== null}
      onSubmit={() => uploading.mutate()}
      onClose={onClose}
    >
      <FileField label={t('images.file')} choose={t('upload.choose')} file={file} onChange={setFile} />
      <TextField label={t('images.version')} {...bound(draft, change, 'version')} isRequired maxLength={50} />
      <Select
        label={t('upload.ocpp')}
        options={versions.map((id) => ({ id, text: id.replaceAll(',', ', ') }))}
        {...bound(draft, change, 'ocpp')}
      />
      <TextArea label={t('images.notes')} {...bound(draft, change, 'notes')} maxLength={10_000} />
    </FormDialog>
  );
}

async function upload(modelId: string, { version, ocpp, notes }: Draft, file: File): Promise<void> {
  const image = await api.POST('/cpms/v1/charger-models/{modelId}/firmware', {
    params: { path: { modelId } },
    body: {
      version: version.trim(),
      fileName: file.name.replaceAll(/[^A-Za-z0-9._-]/g, '_').replace(/^\./, '_'),
      ocppVersionSupport: ocpp,
      ...(notes.trim() === '' ? {} : { releaseNotes: notes.trim() }),
    },
  });
  await api.PUT('/cpms/v1/firmware-images/{id}/content', {
    params: { path: { id: image.id } },
    headers: { 'content-type': 'application/octet-stream' },
    body: '',
    // The bytes are sent as they are.
    bodySerializer: () => file,
  });
}
