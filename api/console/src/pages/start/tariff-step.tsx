import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { assignTariff, createTariff } from './start-api.ts';
import { StepForm } from './step-form.tsx';

const amountOf = (text: string) => (text.trim() === '' ? null : Number(text.trim().replace(',', '.')));

/** Second step: a price for energy, for all chargers of the network. */
export function TariffStep({ network }: { network: Schemas['Network'] }) {
  const { t } = useTranslation('start');
  const queries = useQueryClient();
  const [name, setName] = useState<string>(t('tariff.defaultName'));
  const [price, setPrice] = useState('0.40');
  const [vat, setVat] = useState('21');
  // A tariff whose assignment failed is assigned by the next attempt.
  const [created, setCreated] = useState<Schemas['Tariff'] | null>(null);
  const draft = { name: name.trim(), price: amountOf(price), vat: amountOf(vat) };
  const isReady = draft.name !== '' && isAmount(draft.price) && (draft.vat === null || isAmount(draft.vat));
  const creating = useMutation({
    mutationFn: async () => {
      const tariff = created ?? (await createTariff(network.id, { ...draft, price: draft.price ?? 0 }));
      setCreated(tariff);
      await assignTariff(tariff.id, network.id);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tariffs'] }),
  });
  return (
    <StepForm
      action={t('tariff.action')}
      isReady={isReady}
      isSending={creating.isPending}
      error={creating.error}
      onSubmit={() => creating.mutate()}
    >
      <p>{t('tariff.why')}</p>
      {created !== null && <p>{t('tariff.unfinished', { tariff: created.name })}</p>}
      {created === null && (
        <div className={form['pair']}>
          <TextField label={t('tariff.name')} value={name} onChange={setName} isRequired maxLength={100} />
          <TextField
            label={t('tariff.price', { currency: network.currency })}
            description={t('tariff.priceHint')}
            value={price}
            onChange={setPrice}
            inputMode="decimal"
            isRequired
          />
          <TextField
            label={t('tariff.vat')}
            description={t('tariff.vatHint')}
            value={vat}
            onChange={setVat}
            inputMode="decimal"
          />
        </div>
      )}
    </StepForm>
  );
}

function isAmount(value: number | null): boolean {
  return value !== null && Number.isFinite(value) && value >= 0;
}
