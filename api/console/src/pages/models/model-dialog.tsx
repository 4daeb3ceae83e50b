import { bound } from '../../ui/bound.ts';
import { ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { textOrNull } from '../../texts/entered-text.ts';
import { Select, TextArea, TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { SaveDialog } from './save-dialog.tsx';

type Model = Schemas['ChargerModel'];

interface Props {
  /** Null: a new one. */
  model: Model | null;
  manufacturers: Pick<Schemas['Manufacturer'], 'id' | 'name'>[];
  onSaved?: (model: Model) => void;
  onClose: () => void;
}

const draftOf = (model: Model | null, manufacturerId: string | null) => ({
  manufacturerId: model?.manufacturer.id ?? manufacturerId,
  modelName: model?.modelName ?? '',
  ocppVersion: model?.ocppVersion ?? ocppVersions[0],
  power: model?.maxPower?.toString() ?? '',
  connectors: model?.numberOfConnectors?.toString() ?? '',
  types: model?.supportedConnectorTypes ?? '',
  features: model?.supportedFeatures ?? '',
  description: model?.description ?? '',
});

const numberOrNull = (text: string) => (text.trim() === '' ? null : Number(text.trim().replace(',', '.')));

const isNumber = (value: number | null) => value === null || (Number.isFinite(value) && value > 0);

/** Creates or changes a charger model. */
export function ModelDialog({ model, manufacturers, onSaved, onClose }: Props) {
  const { t } = useTranslation('models');
  const [draft, setDraft] = useState(() => draftOf(model, manufacturers[0]?.id ?? null));
  const change = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }));
  const { manufacturerId, ocppVersion } = draft;
  const [maxPower, numberOfConnectors] = [numberOrNull(draft.power), numberOrNull(draft.connectors)];
  const save = () => {
    const body = {
      manufacturerId: manufacturerId ?? '',
      modelName: draft.modelName.trim(),
      ocppVersion,
      maxPower,
      numberOfConnectors,
      supportedConnectorTypes: textOrNull(draft.types),
      supportedFeatures: textOrNull(draft.features),
      description: textOrNull(draft.description),
    };
    return model === null
      ? api.POST('/cpms/v1/charger-models', { body })
      : api.PATCH('/cpms/v1/charger-models/{id}', { params: { path: { id: model.id } }, body });
  };
  return (
    <SaveDialog<Model>
      title={model === null ? t('createModel') : t('editTitle', { name: model.modelName })}
      name={draft.modelName}
      isReady={
        draft.modelName.trim() !== '' &&
        manufacturerId !== null &&
        isNumber(maxPower) &&
        isNumber(numberOfConnectors)
      }
      save={save}
      onSaved={onSaved}
      onClose={onClose}
    >
      <div className={form['pair']}>
        <Select
          label={t('manufacturer')}
          options={manufacturers.map(({ id, name }) => ({ id, text: name }))}
          value={manufacturerId}
          onChange={(id) => change({ manufacturerId: id })}
        />
        <TextField label={t('name')} {...bound(draft, change, 'modelName')} isRequired maxLength={100} />
      </div>
      <div className={form['pair']}>
        <Select
          label={t('version')}
          options={ocppVersions.map((id) => ({ id, text: `OCPP ${id}` }))}
          value={ocppVersion}
          onChange={(version) => change({ ocppVersion: version })}
        />
        <TextField label={t('power')} {...bound(draft, change, 'power')} inputMode="decimal" />
      </div>
      <div className={form['pair']}>
        <TextField label={t('connectors')} {...bound(draft, change, 'connectors')} inputMode="numeric" />
        <TextField label={t('types')} {...bound(draft, change, 'types')} maxLength={200} />
      </div>
      <TextField label={t('features')} {...bound(draft, change, 'features')} maxLength={500} />
      <TextArea label={t('description')} {...bound(draft, change, 'description')} maxLength={2000} />
    </SaveDialog>
  );
}
