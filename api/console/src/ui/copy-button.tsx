import { Check, Copy } from './icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';

/** Copies a text to the clipboard. */
export function CopyButton({
  text,
  label,
  isIcon = true,
}: {
  text: string;
  label?: string;
  /** False: the label is shown next to the icon. */
  isIcon?: boolean;
}) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  const name = isCopied ? t('action.copied') : (label ?? t('action.copy'));
  return (
    <Button kind="quiet" isIcon={isIcon} aria-label={name} onPress={() => void copy()}>
      {isCopied ? <Check aria-hidden size={15} /> : <Copy aria-hidden size={15} />}
      {!isIcon && name}
    </Button>
  );
}
