import { FormDialog } from '../../ui/form.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import countryToCurrency from 'country-to-currency';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { alpha2ByAlpha3, alpha3Of } from '#shared/domain/fleet/countries.ts';
import { countryZone } from '#shared/domain/fleet/country-zone.ts';
import { viewerZone } from '../../texts/page-zone.ts';
import { ComboBox } from '../../ui/combo-box.tsx';
import { useCountries } from '../locations/countries.ts';
import { fieldErrors } from '../../ui/field-errors.tsx';
import { TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { ZoneChoice } from './zone-choice.tsx';

/** Fields that show their errors. */
const shownFields = ['name', 'slug'];

/** Currencies by country (ISO 3166-1 alpha-2). */
const currencyOf: Readonly<Record<string, string | undefined>> = countryToCurrency;

const currencies = Intl.supportedValuesOf('currency').map((id) => ({ id, text: id }));

/** Returns the country of the browser's language, or nothing when it has none. */
function browserCountry(): string {
  const { region = '' } = new Intl.Locale(navigator.language);
  return alpha3Of(region) === null ? '' : region;
}

/** Returns the short name of a name: lower-case letters, digits and dashes. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '');
}

/** Returns a country with its currency, and with its time zone if it has one. */
function offeredIn(countryCode: string): { countryCode: string; currency?: string; timeZone?: string } {
  const currency = currencyOf[countryCode];
  const timeZone = countryZone(countryCode);
  return {
    countryCode,
    ...(currency !== undefined && { currency }),
    ...(timeZone !== null && { timeZone }),
  };
}

/** Creates a network. Currency and short name stay; everything else, as the seller, is on its page. */
export function NewNetworkDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (uuid: string) => void;
}) {
  const { t } = useTranslation(['networks', 'common']);
  const countries = useCountries();
  const queries = useQueryClient();
  const [draft, setDraft] = useState({
    name: '',
    slug: '',
    currency: 'EUR',
    ...offeredIn(browserCountry()),
    timeZone: viewerZone,
  });
  const creating = useMutation({
    mutationFn: (body: Schemas['CreateNetworkRequest']) => api.POST('/cpms/v1/networks', { body }),
    onSuccess: async ({ id }) => {
      onCreated(id);
      await queries.invalidateQueries({ queryKey: ['networks'] });
    },
  });
  const errorOf = fieldErrors(creating.error);
  return (
    <FormDialog
      title={t('create')}
      action={t('create')}
      saving={creating}
      isReady={draft.countryCode !== '' && draft.currency !== ''}
      shown={shownFields}
      onSubmit={() => creating.mutate(draft)}
      onClose={onClose}
    >
      <TextField
        label={t('field.name')}
        value={draft.name}
        onChange={(name) => {
          // A short name that was typed stays.
          const slug = draft.slug === slugOf(draft.name) ? slugOf(name) : draft.slug;
          setDraft({ ...draft, name, slug });
        }}
        maxLength={100}
        isRequired
        {...errorOf('name')}
      />
      <TextField
        label={t('field.slug')}
        description={t('slugHint')}
        value={draft.slug}
        onChange={(slug) => setDraft({ ...draft, slug: slug.toLowerCase() })}
        maxLength={40}
        isRequired
        {...errorOf('slug')}
      />
      <div className={form['pair']}>
        <ComboBox
          label={t('country')}
          options={countries}
          value={alpha3Of(draft.countryCode)}
          onChange={(id) => setDraft({ ...draft, ...offeredIn(alpha2ByAlpha3.get(id ?? '') ?? '') })}
        />
        <ComboBox
          label={t('field.currency')}
          options={currencies}
          value={draft.currency}
          onChange={(currency) => setDraft({ ...draft, currency: currency ?? '' })}
        />
      </div>
      <ZoneChoice value={draft.timeZone} onChange={(timeZone) => setDraft({ ...draft, timeZone })} />
    </FormDialog>
  );
}
