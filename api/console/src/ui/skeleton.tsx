import styles from './skeleton.module.css';

/** Space of content that is loading, in its final size so that nothing moves. */
export function Skeleton({
  width = '100%',
  height = '1em',
}: {
  width?: string | number;
  height?: string | number;
}) {
  return <span aria-hidden className={styles['skeleton']} style={{ width, height }} />;
}
