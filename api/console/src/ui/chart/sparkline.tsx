/** Small line of recent values without axes, newest at the right. */
export function Sparkline({
  values,
  color,
  label,
  width = 120,
  height = 28,
}: {
  values: readonly number[];
  color: `--${string}`;
  /** Read instead of the line. */
  label: string;
  width?: number;
  height?: number;
}) {
  const maximum = Math.max(1, ...values);
  const step = width / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) => `${index * step},${height - 1 - (value / maximum) * (height - 3)}`,
  );
  return (
    <svg role="img" aria-label={label} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      {values.length > 1 && (
        <>
          <polygon
            points={`0,${height} ${points.join(' ')} ${width},${height}`}
            fill={`var(${color})`}
            opacity={0.15}
          />
          <polyline points={points.join(' ')} fill="none" stroke={`var(${color})`} strokeWidth={1.5} />
        </>
      )}
    </svg>
  );
}
