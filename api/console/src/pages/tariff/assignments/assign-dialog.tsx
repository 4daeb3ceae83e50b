import { FormDialog } from '../../../ui/form.tsx';
import { useState } from 'react';
import { usePageZone } from '../../../texts/page-zone.ts';
import { useTranslation } from 'react-i18next';
import { api, body, type Schemas } from '../../../api/client.ts';
import { useSendOnce } from '../../../api/request-key.ts';
import { useScopes } from '../../../app/caller.tsx';
import { zonedInstant } from '../../../texts/zoned-time.ts';
import { Select, TextField } from '../../../ui/field.tsx';
import form from '../../../ui/form.module.css';
import { type Tariff } from '../tariff-queries.ts';
import { type Target, TargetField, targetBody } from './target-field.tsx';
import { useAssigning } from './use-assigning.ts';

/** Levels, the widest first, with the scope that lists their objects. */
const levels = [
  ['NETWORK', 'cpms:read:tariffs'],
  ['LOCATION', 'cpms:read:locations'],
  ['CHARGER', 'cpms:read:chargers'],
  ['CONNECTOR', 'cpms:read:chargers'],
] as const;

interface Props {
  tariff: Tariff;
  network: Schemas['Network'] | undefined;
  onClose: () => void;
}

/** Assigns a tariff to a network, location, charger or connector, from now on or for a time. */
export function AssignDialog({ tariff, network, onClose }: Props) {
  const { t } = useTranslation(['tariffs', 'common']);
  const can = useScopes();
  const timeZone = usePageZone();
  const [target, setTarget] = useState<Target>({ level: 'LOCATION' });
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  const chosen = targetBody(target, network);
  const once = useSendOnce([chosen, from, until]);
  const assign = useAssigning(
    tariff.id,
    (place: NonNullable<typeof chosen>) => {
      const validFrom = zonedInstant(from, timeZone);
      const validUntil = zonedInstant(until, timeZone);
      return once((header) =>
        body(
          api.POST('/cpms/v1/tariff-assignments', {
            params: { header },
            body: {
              tariffUuid: tariff.id,
              ...place,
              ...(validFrom === null ? {} : { validFrom }),
              ...(validUntil === null ? {} : { validUntil }),
            },
          }),
        ),
      );
    },
    t('assign.done', { name: tariff.name }),
    onClose,
  );
  const submit = () => {
    if (chosen !== null) assign.mutate(chosen);
  };
  return (
    <FormDialog
      title={t('assign.title', { name: tariff.name })}
      action={t('assign.action')}
      saving={assign}
      isReady={chosen !== null}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={form['hint']}>{t('assign.intro')}</p>
      <Select
        label={t('assignments.level')}
        options={levels.filter(([, scope]) => can(scope)).map(([id]) => ({ id, text: t(`level.${id}`) }))}
        value={target.level}
        onChange={(level) => setTarget({ ...target, level })}
      />
      <TargetField target={target} network={network} onChange={setTarget} />
      <div className={form['pair']}>
        <TextField
          label={t('assign.from')}
          description={t('assign.fromHint')}
          type="datetime-local"
          value={from}
          onChange={setFrom}
        />
        <TextField
          label={t('assign.until')}
          description={t('assign.untilHint')}
          type="datetime-local"
          value={until}
          onChange={setUntil}
        />
      </div>
    </FormDialog>
  );
}
