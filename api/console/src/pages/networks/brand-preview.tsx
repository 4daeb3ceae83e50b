import { useTranslation } from 'react-i18next';
import styles from './networks.module.css';

const color = /^#[0-9a-f]{6}$/;

/** Returns white or black, whichever is easier to read on a color (WCAG 2.2, relative luminance). */
function readableOn(hex: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

/** The name of the network on its colors, as apps and e-mails show it. */
export function BrandPreview({
  name,
  primary,
  secondary,
}: {
  name: string;
  primary: string;
  secondary: string;
}) {
  const { t } = useTranslation('networks');
  if (!color.test(primary)) return null;
  return (
    <div role="group" aria-label={t('preview')}>
      <p className={styles['previewTitle']}>{t('preview')}</p>
      <div
        className={styles['preview']}
        style={{
          background: primary,
          color: readableOn(primary),
          borderBottomColor: color.test(secondary) ? secondary : primary,
        }}
      >
        {name}
      </div>
    </div>
  );
}
