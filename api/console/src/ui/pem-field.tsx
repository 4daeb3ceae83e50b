import { type ComponentProps, useState } from 'react';
import { TextArea } from './field.tsx';
import { FileField } from './file-field.tsx';

type TextAreaProps = ComponentProps<typeof TextArea>;

interface Props extends Pick<TextAreaProps, 'isInvalid' | 'errorMessage'> {
  texts: { file: string; choose: string; pem: string };
  value: string;
  onChange: (pem: string) => void;
}

/** Certificate in PEM, typed or from a file. */
export function PemField({ texts, value, onChange, ...error }: Props) {
  const [file, setFile] = useState<File | null>(null);
  return (
    <>
      <FileField
        label={texts.file}
        choose={texts.choose}
        file={file}
        accepts={['.pem', '.crt', '.cer', '.txt']}
        onChange={(chosen) => {
          setFile(chosen);
          void chosen.text().then(onChange);
        }}
      />
      <TextArea
        label={texts.pem}
        value={value}
        onChange={onChange}
        placeholder="-----BEGIN CERTIFICATE-----"
        rows={8}
        maxLength={5500}
        isRequired
        isCode
        {...error}
      />
    </>
  );
}
