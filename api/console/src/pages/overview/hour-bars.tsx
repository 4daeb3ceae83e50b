import styles from './hour-bars.module.css';

const height = 40;
const barWidth = 8;
const step = 10;

/** Bars of the hours of a day, and of the compared day as lines above them. */
export function HourBars({
  label,
  today,
  before,
  write,
}: {
  label: string;
  today: readonly number[];
  before: readonly number[];
  write: (value: number) => string;
}) {
  const hours = Math.max(today.length, before.length);
  const maximum = Math.max(...today, ...before, Number.MIN_VALUE);
  const top = (value: number) => height - (value / maximum) * (height - 2);
  return (
    <svg
      role="img"
      aria-label={label}
      className={styles['bars']}
      viewBox={`0 0 ${hours * step} ${height}`}
      preserveAspectRatio="none"
    >
      {Array.from({ length: hours }, (_, hour) => (
        <g key={hour}>
          <title>{`${String(hour).padStart(2, '0')}:00  ${write(today[hour] ?? 0)} · ${write(before[hour] ?? 0)}`}</title>
          <rect x={hour * step} width={step} height={height} fill="transparent" />
          <rect
            className={styles['today']}
            x={hour * step + 1}
            y={top(today[hour] ?? 0)}
            width={barWidth}
            height={height - top(today[hour] ?? 0)}
          />
          <rect
            className={styles['before']}
            x={hour * step}
            y={top(before[hour] ?? 0) - 1}
            width={step}
            height={2}
          />
        </g>
      ))}
    </svg>
  );
}
