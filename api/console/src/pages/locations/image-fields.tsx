import { bound } from '../../ui/bound.ts';
import { imageCategories } from '#shared/domain/fleet/location.ts';
import { useTranslation } from 'react-i18next';
import type { ErrorOf } from '../../ui/field-errors.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { RowList } from '../../ui/row-list.tsx';
import { fileTypeOf, type ImageDraft, newImage } from './image-draft.ts';
import styles from './locations.module.css';

const maxImages = 50;

interface Props {
  /** Field of the request that holds the images. */
  field: string;
  images: readonly ImageDraft[];
  errorOf: ErrorOf;
  onChange: (images: ImageDraft[]) => void;
}

/** Images of a location, an EVSE or a parking place, by their URLs. */
export function ImageFields({ field, images, errorOf, onChange }: Props) {
  const { t } = useTranslation('locationDetails');
  return (
    <RowList
      label={t('image.label')}
      rows={images}
      max={maxImages}
      add={t('image.add')}
      remove={(index) => t('image.remove', { number: index + 1 })}
      create={newImage}
      onChange={onChange}
    >
      {(image, change, index) => (
        <>
          <div className={styles['whole']}>
            <TextField
              label={t('image.url')}
              type="url"
              placeholder="https://"
              value={image.url}
              onChange={(url) =>
                change({ url, ...(image.type === fileTypeOf(image.url) && { type: fileTypeOf(url) }) })
              }
              maxLength={255}
              {...errorOf(`${field}.${index}.url`)}
            />
          </div>
          <div className={`${styles['whole']} ${form['short']}`}>
            <Select
              label={t('image.category')}
              options={imageCategories.map((id) => ({ id, text: t(`image.categoryOf.${id}`) }))}
              {...bound(image, change, 'category')}
            />
            <TextField
              label={t('image.type')}
              placeholder="jpeg"
              {...bound(image, change, 'type')}
              maxLength={4}
              {...errorOf(`${field}.${index}.type`)}
            />
            <TextField
              label={t('image.width')}
              inputMode="numeric"
              {...bound(image, change, 'width')}
              {...errorOf(`${field}.${index}.width`)}
            />
            <TextField
              label={t('image.height')}
              inputMode="numeric"
              {...bound(image, change, 'height')}
              {...errorOf(`${field}.${index}.height`)}
            />
          </div>
          <div className={styles['whole']}>
            <TextField
              label={t('image.thumbnail')}
              type="url"
              {...bound(image, change, 'thumbnail')}
              maxLength={255}
              {...errorOf(`${field}.${index}.thumbnail`)}
            />
          </div>
        </>
      )}
    </RowList>
  );
}
