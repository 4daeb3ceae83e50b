import { useChange } from '../../../app/use-change.ts';
import { bound } from '../../../ui/bound.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageZone } from '../../../texts/page-zone.ts';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../../api/client.ts';
import { useCan } from '../../../app/caller.tsx';
import { instantOf } from '../../../texts/zoned-time.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Select, TextArea, TextField } from '../../../ui/field.tsx';
import form from '../../../ui/form.module.css';
import { imagesQuery } from './firmware-queries.ts';

const byUrl = 'url';

interface Draft {
  /** Image of the catalog, or `url`. */
  source: string;
  location: string;
  retrieveAt: string;
  installAt: string;
  retries: string;
  interval: string;
  isSigned: boolean;
  certificate: string;
  signature: string;
}

/** Starts a firmware update: the image or its URL, times, retries, signature. */
export function UpdateDialog({
  charger,
  imageId,
  onClose,
}: {
  charger: Schemas['Charger'];
  /** Image to choose first; empty: none. */
  imageId: string;
  onClose: () => void;
}) {
  const { t } = useTranslation(['firmware', 'common']);
  const canReadCatalog = useCan('cpms:read:catalog');
  const images = useQuery({
    ...imagesQuery(charger.modelUuid ?? '', 'Complete'),
    enabled: canReadCatalog && charger.modelUuid !== null,
  });
  const [draft, setDraft] = useState<Draft>({
    source: imageId === '' ? byUrl : imageId,
    location: '',
    retrieveAt: '',
    installAt: '',
    retries: '',
    interval: '',
    isSigned: false,
    certificate: '',
    signature: '',
  });
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const updating = useUpdating(charger, onClose);
  const options = (images.data ?? []).map(({ id, version, fileName }) => ({
    id,
    text: `${version} (${fileName})`,
  }));
  return (
    <FormDialog
      title={t('update.title', { charger: charger.uid })}
      action={t(updating.isPending ? 'update.sending' : 'update.action')}
      saving={updating}
      onSubmit={() => updating.mutate(draft)}
      onClose={onClose}
    >
      <Select
        label={t('update.source')}
        options={[...options, { id: byUrl, text: t('update.byUrl') }]}
        {...bound(draft, change, 'source')}
      />
      {draft.source === byUrl && (
        <TextField
          label="URL"
          type="url"
          {...bound(draft, change, 'location')}
          placeholder="https://"
          description={t('update.urlHint')}
          isRequired
        />
      )}
      <div className={form['pair']}>
        <TextField
          label={t('update.retrieveAt')}
          type="datetime-local"
          {...bound(draft, change, 'retrieveAt')}
          description={t('update.retrieveHint')}
        />
        <TextField
          label={t('update.installAt')}
          type="datetime-local"
          {...bound(draft, change, 'installAt')}
          description={t('update.installHint')}
        />
        <TextField
          label={t('update.retries')}
          inputMode="numeric"
          pattern="[0-9]*"
          {...bound(draft, change, 'retries')}
        />
        <TextField
          label={t('update.interval')}
          inputMode="numeric"
          pattern="[0-9]*"
          {...bound(draft, change, 'interval')}
        />
      </div>
      <Checkbox isSelected={draft.isSigned} onChange={(isSigned) => change({ isSigned })}>
        {t('update.signed')}
      </Checkbox>
      {draft.isSigned && (
        <>
          <TextArea
            label={t('update.certificate')}
            {...bound(draft, change, 'certificate')}
            isRequired
            isCode
          />
          <TextArea
            label={t('update.signature')}
            {...bound(draft, change, 'signature')}
            rows={2}
            isRequired
            isCode
          />
        </>
      )}
    </FormDialog>
  );
}

/** Requests an update. A refusal stays in the dialog. */
function useUpdating(charger: Schemas['Charger'], onDone: () => void) {
  const { t } = useTranslation(['firmware', 'charger']);
  const timeZone = usePageZone();
  return useChange({
    mutationFn: async (draft: Draft) => {
      const sent = await api.POST('/cpms/v1/chargers/{chargerUuid}/firmware/update', {
        params: { path: { chargerUuid: charger.id } },
        body: bodyOf(draft, timeZone),
      });
      if (!sent.accepted) throw new Error(t('charger:command.refused', { message: sent.message }));
    },
    invalidates: ['firmware'],
    done: () => t('update.done'),
    onDone: onDone,
  });
}

function bodyOf(draft: Draft, timeZone: string) {
  const retrieveDate = instantOf(draft.retrieveAt, timeZone);
  const installDate = instantOf(draft.installAt, timeZone);
  return {
    ...(draft.source === byUrl ? { location: draft.location.trim() } : { firmwareVersionId: draft.source }),
    ...(retrieveDate === undefined ? {} : { retrieveDate }),
    ...(installDate === undefined ? {} : { installDate }),
    ...(draft.retries === '' ? {} : { retries: Number(draft.retries) }),
    ...(draft.interval === '' ? {} : { retryInterval: Number(draft.interval) }),
    ...(draft.isSigned
      ? { signing: { certificate: draft.certificate.trim(), signature: draft.signature.trim() } }
      : {}),
  };
}
