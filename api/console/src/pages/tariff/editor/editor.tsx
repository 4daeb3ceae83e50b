import { useBlocker } from '@tanstack/react-router';
import { TriangleAlert } from '../../../ui/icons/icons.ts';
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import type { SimulationSearch } from '../tariff-search.ts';
import { type Draft, pricesOf } from './draft.ts';
import { ElementList } from './element-list.tsx';
import { FieldErrors } from './field-errors.tsx';
import { GeneralFields, type NetworkChoice } from './general-fields.tsx';
import { SessionFields } from './session-fields.tsx';
import { TextFields } from './text-fields.tsx';
import styles from './editor.module.css';
import { Card } from '../../../ui/card.tsx';
import { PriceList } from '../prices/prices.tsx';
import { Simulator } from '../simulator/simulator.tsx';
import type { Prices } from '../tariff-queries.ts';

interface Props {
  title: string;
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** True: leaving the page would lose something. */
  isChanged: boolean;
  network: NetworkChoice | null;
  currency: string;
  timeZone: string;
  search: SimulationSearch;
  onSearch: (changed: SimulationSearch) => void;
  /** Text of the button that saves. */
  action: string;
  isSaving: boolean;
  error: Error | null;
  /** Explanation of a conflict, in the place of the error. */
  conflict?: ReactNode;
  onSave: () => void;
  onCancel: () => void;
  /** Shown above the fields. */
  templates?: ReactNode;
}

/** Editor of a tariff with a preview next to it. */
export function Editor(props: Props) {
  const { draft, onChange, currency, timeZone, error, conflict = null } = props;
  const { t } = useTranslation(['tariffEditor', 'common']);
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const change = (changed: Partial<Draft>) => onChange({ ...draft, ...changed });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    props.onSave();
  };
  const part = { draft, onChange: change };
  return (
    <div className={styles['page']}>
      <LeaveGuard isChanged={props.isChanged} />
      <header className={styles['header']}>
        <h1>{props.title}</h1>
        <div className={styles['actions']}>
          <Button onPress={props.onCancel}>{t('common:action.cancel')}</Button>
          <Button type="submit" form={formId} kind="primary" isDisabled={!props.isChanged || props.isSaving}>
            {props.action}
          </Button>
        </div>
      </header>
      {conflict ?? (error !== null && <Refusal error={error} />)}
      <div className={styles['columns']}>
        <form id={formId} ref={form} className={styles['column']} onSubmit={submit} noValidate>
          {props.templates}
          <FieldErrors errors={error instanceof ApiError ? error.fields : []}>
            <GeneralFields {...part} network={props.network} />
            <ElementList
              elements={draft.elements}
              currency={currency}
              onChange={(elements) => change({ elements })}
            />
            <SessionFields {...part} currency={currency} />
            <TextFields {...part} />
          </FieldErrors>
        </form>
        <div className={styles['column']}>
          <Preview
            draft={draft}
            currency={currency}
            timeZone={timeZone}
            search={props.search}
            onSearch={props.onSearch}
          />
        </div>
      </div>
    </div>
  );
}

/** Reason of the server for not saving. */
function Refusal({ error }: { error: Error }) {
  const { t } = useTranslation('tariffEditor');
  return (
    <div role="alert" className={styles['refusal']}>
      <TriangleAlert aria-hidden size={16} />
      <p>
        <strong>{t('refused')}</strong> {error.message}
      </p>
    </div>
  );
}

/** Asks before another page is opened while something is not saved. */
function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const { t } = useTranslation('tariffEditor');
  const blocker = useBlocker({
    // The simulation changes the address of the same page.
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={t('leave.title')}
      action={t('leave.action')}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    >
      <p>{t('leave.detail')}</p>
    </ConfirmDialog>
  );
}

interface PreviewProps {
  draft: Draft;
  currency: string;
  timeZone: string;
  search: SimulationSearch;
  onSearch: (changed: SimulationSearch) => void;
}

/** The draft in words, and what a session would cost by it, while it is written. */
function Preview({ draft, currency, timeZone, search, onSearch }: PreviewProps) {
  const { t } = useTranslation('tariffEditor');
  const prices = { currency, ...pricesOf(draft) };
  const isWhole = isReadable(prices);
  return (
    <>
      <Card title={t('inWords')}>
        {isWhole ? <PriceList prices={prices} /> : <p className={styles['hint']}>{t('unreadable')}</p>}
      </Card>
      <Simulator
        subject={isWhole ? { tariff: prices } : null}
        zone={timeZone}
        search={search}
        onSearch={onSearch}
      />
    </>
  );
}

/** Returns whether each input that holds a number has one. */
function isReadable(prices: Prices): boolean {
  let isWhole = true;
  JSON.stringify(prices, (_key, value: unknown) => {
    if (typeof value === 'number' && Number.isNaN(value)) isWhole = false;
    return value;
  });
  return isWhole;
}
