import { FileUp } from './icons/icons.ts';
import { FileTrigger } from 'react-aria-components';
import { Button } from './button.tsx';
import styles from './field.module.css';
import own from './file-field.module.css';

interface Props {
  label: string;
  /** Text of the button. */
  choose: string;
  file: File | null;
  accepts?: readonly string[];
  onChange: (file: File) => void;
}

/** Choice of a file. */
export function FileField({ label, choose, file, accepts, onChange }: Props) {
  return (
    <div className={styles['field']} role="group" aria-label={label}>
      <span className={styles['label']}>{label}</span>
      <span className={own['file']}>
        <FileTrigger
          {...(accepts === undefined ? {} : { acceptedFileTypes: accepts })}
          onSelect={(files) => {
            const chosen = files?.item(0) ?? null;
            if (chosen !== null) onChange(chosen);
          }}
        >
          <Button>
            <FileUp aria-hidden size={15} />
            {choose}
          </Button>
        </FileTrigger>
        {file !== null && <span className={own['name']}>{file.name}</span>}
      </span>
    </div>
  );
}
