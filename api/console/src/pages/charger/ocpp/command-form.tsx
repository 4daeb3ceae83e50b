import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldError } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { TextArea } from '../../../ui/field.tsx';
import { FormContext } from './form/form-context.ts';
import type { JsonSchema } from './form/json-schema.ts';
import { ObjectFields } from './form/object-part.tsx';
import { type Problem, problemsOf } from './form/problems.ts';
import { SchemaPart } from './form/schema-part.tsx';
import styles from './ocpp.module.css';

interface Props {
  action: string;
  chargerName: string;
  schema: JsonSchema;
  initial: Record<string, unknown>;
  /** Sends the payload and returns the fields that the server refused. */
  onSend: (payload: Record<string, unknown>) => Promise<readonly FieldError[]>;
}

/** Payload of an action: as a form of its schema, or as JSON. */
export function CommandForm({ action, chargerName, schema, initial, onSend }: Props) {
  const { t } = useTranslation('ocpp');
  const [payload, setPayload] = useState<unknown>(initial);
  const [json, setJson] = useState<string | null>(null);
  const [isChecked, setChecked] = useState(false);
  const [isSending, setSending] = useState(false);
  const [refused, setRefused] = useState<readonly FieldError[]>([]);
  const parsed = useMemo(() => (json === null ? { value: payload } : parse(json)), [json, payload]);
  const found = useMemo(
    () => (parsed.error === undefined ? problemsOf(parsed.value, schema, schema) : new Map()),
    [parsed, schema],
  );
  const problems = useMemo(() => {
    const textOf = ({ kind, limit }: Problem) => t(`problem.${kind}`, { count: limit ?? 0 });
    const own = isChecked ? [...found].map(([path, problem]) => [path, textOf(problem)] as const) : [];
    return new Map<string, string>([
      ...refused.map(({ field, message }) => [field, message] as const),
      ...own,
    ]);
  }, [refused, found, isChecked, t]);
  const form = useMemo(() => ({ root: schema, problems }), [schema, problems]);
  const isEmpty = Object.keys(schema.properties ?? {}).every((name) => name === 'customData');

  const send = async () => {
    if (isSending) return;
    setChecked(true);
    if (parsed.error !== undefined || found.size > 0) return;
    setSending(true);
    try {
      setRefused(await onSend(parsed.value as Record<string, unknown>));
    } finally {
      setSending(false);
    }
  };
  const change = (next: unknown) => {
    setRefused([]);
    setPayload(next);
  };
  const showForm = () => {
    setPayload(parsed.value);
    setJson(null);
  };

  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div role="group" aria-label={t('mode.label')} className={styles['mode']}>
        <Button aria-pressed={json === null} onPress={showForm} isDisabled={parsed.error !== undefined}>
          {t('mode.form')}
        </Button>
        <Button aria-pressed={json !== null} onPress={() => setJson(JSON.stringify(parsed.value, null, 2))}>
          {t('mode.json')}
        </Button>
      </div>
      {json !== null ? (
        <>
          <TextArea
            label={t('mode.payload')}
            rows={14}
            isCode
            value={json}
            onChange={(text) => {
              setRefused([]);
              setJson(text);
            }}
            isInvalid={parsed.error !== undefined || problems.size > 0}
            {...(parsed.error !== undefined && { errorMessage: t('problem.json', { reason: parsed.error }) })}
          />
          <ul className={styles['faults']}>
            {[...problems].map(([path, text]) => (
              <li key={path}>
                <code>{path === '' ? t('mode.payload') : path}</code> {text}
              </li>
            ))}
          </ul>
        </>
      ) : isEmpty ? (
        <p className={styles['muted']}>{t('form.empty')}</p>
      ) : (
        <FormContext value={form}>
          <ObjectFields part={SchemaPart} path="" schema={schema} value={payload} onChange={change} />
        </FormContext>
      )}
      <div className={styles['send']}>
        <Button type="submit" kind="primary" isDisabled={isSending}>
          {t('send', { action, charger: chargerName })}
        </Button>
        {isChecked && found.size > 0 && (
          <p role="alert" className={styles['problem']}>
            {t('problem.count', { count: found.size })}
          </p>
        )}
      </div>
    </form>
  );
}

function parse(text: string): { value?: unknown; error?: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
