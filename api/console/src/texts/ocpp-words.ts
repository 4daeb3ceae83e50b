import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { en } from './english.ts';

const { status: statuses, errorCode: errorCodes, firmware: firmwareStatuses } = en.ocppWords;

const isStatus = (word: string): word is keyof typeof statuses => word in statuses;
const isErrorCode = (word: string): word is keyof typeof errorCodes => word in errorCodes;
/** Returns true for the status of a firmware update that failed. */
export const isFirmwareFailure = (word: string): word is keyof typeof firmwareStatuses =>
  word in firmwareStatuses;

/** Returns the words of OCPP in the shown language. Those that the standard lacks are shown as they are. */
export function useOcppWords() {
  const { t } = useTranslation('ocppWords');
  return useMemo(
    () => ({
      /** Status of a connector. */
      status: (word: string) => (isStatus(word) ? t(`status.${word}`) : word),
      /** Error code of a connector (1.6). */
      errorCode: (word: string) => (isErrorCode(word) ? t(`errorCode.${word}`) : word),
      /** Status of a failed firmware update. */
      firmware: (word: string) => (isFirmwareFailure(word) ? t(`firmware.${word}`) : word),
    }),
    [t],
  );
}

export type OcppWords = ReturnType<typeof useOcppWords>;
