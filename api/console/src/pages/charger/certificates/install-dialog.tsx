import { PemField } from '../../../ui/pem-field.tsx';
import { useChange } from '../../../app/use-change.ts';
import { FormDialog } from '../../../ui/form.tsx';
import {
  featuresOf,
  type RootCertificateUse,
  rootCertificateUses,
} from '#shared/domain/fleet/ocpp-version.ts';
import { type QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../../api/client.ts';
import { Select } from '../../../ui/field.tsx';

/** Uses of a root certificate. OCPP 1.6 knows the first two. */

/** Installs a root certificate on the charger. A refusal stays in the dialog. */
export function InstallDialog({
  charger,
  queryKey,
  onClose,
}: {
  charger: Schemas['Charger'];
  queryKey: QueryKey;
  onClose: () => void;
}) {
  const { t } = useTranslation(['certificates', 'charger', 'common']);
  const [use, setUse] = useState<RootCertificateUse>('CSMSRoot');
  const [pem, setPem] = useState('');
  const installing = useChange({
    mutationFn: async () => {
      const sent = await api.POST('/cpms/v1/chargers/{chargerUuid}/certificates', {
        params: { path: { chargerUuid: charger.id } },
        body: { use, certificate: pem.trim() },
      });
      if (!sent.accepted) throw new Error(t('charger:command.refused', { message: sent.message }));
    },
    invalidates: queryKey,
    done: () => t('install.done'),
    onDone: onClose,
  });
  const known = featuresOf(charger.ocppVersion)?.rootCertificateUses ?? rootCertificateUses;
  return (
    <FormDialog
      title={t('install.title', { charger: charger.uid })}
      action={t(installing.isPending ? 'install.sending' : 'install.action')}
      saving={installing}
      onSubmit={() => installing.mutate()}
      onClose={onClose}
    >
      <Select
        label={t('install.use')}
        options={known.map((id) => ({ id, text: t(`uses.${id}`) }))}
        value={use}
        onChange={setUse}
      />
      <PemField
        texts={{ file: t('install.file'), choose: t('install.choose'), pem: t('install.pem') }}
        value={pem}
        onChange={setPem}
      />
    </FormDialog>
  );
}
