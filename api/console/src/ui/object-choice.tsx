import { useQuery, useQueryClient } from '@tanstack/react-query';
import { keepWithin } from '../api/keep-within.ts';
import { useNetworkQuery } from '../app/network-switcher.tsx';
import { ChevronDown, X } from './icons/icons.ts';
import { useState } from 'react';
import {
  Button as AriaButton,
  ComboBox,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
} from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import fieldStyles from './field.module.css';
import styles from './object-choice.module.css';

export interface ObjectOption {
  id: string;
  name: string;
}

interface Props {
  label: string;
  placeholder: string;
  /** Kind of the objects, for the cache. */
  kind: string;
  /** Id of the chosen object. */
  value: string | undefined;
  /** Network of the objects; the chosen one when left out. */
  networkUuid?: string | undefined;
  /** Returns the objects of a network that match a text, at most a screen of them. */
  find: (text: string, network: { networkUuid?: string }) => Promise<ObjectOption[]>;
  /** Returns the chosen object, whose name is shown. */
  read: (id: string) => Promise<ObjectOption>;
  onChange: (id: string | undefined) => void;
}

/** Choice of one of many objects, which the server searches. */
export function ObjectChoice({ label, placeholder, kind, value, networkUuid, find, read, onChange }: Props) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const shown = useNetworkQuery();
  const network = networkUuid === undefined ? shown : { networkUuid };
  const chosen = useQuery({
    queryKey: ['choice', kind, 'chosen', value],
    queryFn: () => read(value ?? ''),
    enabled: value !== undefined,
    staleTime: 300_000,
  }).data;
  // Null: nothing is typed, and the field shows the chosen object.
  const [typed, setTyped] = useState<string | null>(null);
  // Chosen here, while the page has not taken it over yet.
  const [pending, setPending] = useState<ObjectOption | null>(null);
  if (pending !== null && pending.id === value) setPending(null);
  const [isOpen, setOpen] = useState(false);
  const text = typed ?? pending?.name ?? (value === undefined ? '' : (chosen?.name ?? ''));
  const { data: options = [] } = useQuery({
    queryKey: ['choice', kind, network, typed ?? ''],
    queryFn: () => find(typed ?? '', network),
    placeholderData: keepWithin('choice', kind, network),
    enabled: isOpen,
  });
  return (
    <ComboBox
      className={fieldStyles['field'] ?? ''}
      items={options}
      inputValue={text}
      value={value ?? null}
      onInputChange={(next) => next !== text && setTyped(next)}
      onOpenChange={(opens) => {
        setOpen(opens);
        if (!opens) setTyped(null);
      }}
      onChange={(key) => {
        setTyped(null);
        const option = options.find(({ id }) => id === key);
        if (option === undefined) return;
        queries.setQueryData(['choice', kind, 'chosen', option.id], option);
        setPending(option);
        onChange(option.id);
      }}
      menuTrigger="focus"
      allowsEmptyCollection
    >
      <Label className={fieldStyles['label'] ?? ''}>{label}</Label>
      <div className={styles['box']}>
        <Input className={`${fieldStyles['input']} ${styles['input']}`} placeholder={placeholder} />
        {value === undefined ? (
          <AriaButton className={styles['open'] ?? ''}>
            <ChevronDown aria-hidden size={15} />
          </AriaButton>
        ) : (
          <span className={styles['clear']}>
            <Button
              slot={null}
              kind="quiet"
              isIcon
              aria-label={`${t('action.clear')}: ${label}`}
              onPress={() => onChange(undefined)}
            >
              <X aria-hidden size={14} />
            </Button>
          </span>
        )}
      </div>
      <Popover className={fieldStyles['popover'] ?? ''}>
        <ListBox<ObjectOption>
          className={fieldStyles['list'] ?? ''}
          renderEmptyState={() => t('empty.filtered')}
        >
          {({ id, name }) => (
            <ListBoxItem id={id} textValue={name} className={fieldStyles['option'] ?? ''}>
              {name}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
