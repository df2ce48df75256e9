// The only file that loads the library of charts.
import '@mantine/charts/styles.layer.css';
import { AreaChart } from '@mantine/charts';
import { formatPosition } from '../../../time-text.ts';
import type { Curve, Mark } from './result-texts.ts';

interface CurveChartProps {
  curves: readonly Curve[];
  stepSeconds: number;
  marks: readonly Mark[];
  /** "%" for parts of those who joined. */
  unit?: string | undefined;
}

const colours = ['var(--tone-info)', 'var(--tone-warn)', 'var(--tone-good)'];

/** Viewers along the video. The numbers on the lines are those of the interactions in the list below. */
export default function CurveChart({ curves, stepSeconds, marks, unit = '' }: CurveChartProps) {
  const points = Math.max(...curves.map(({ values }) => values.length));
  const data = Array.from({ length: points }, (_, point) => ({
    // A point is the second in the middle of a part of the video.
    at: (point + 0.5) * stepSeconds,
    ...Object.fromEntries(curves.map(({ name, values }) => [name, values[point] ?? null])),
  }));
  return (
    <div role="img" aria-label={`Viewers along the video: ${curves.map(({ name }) => name).join(', ')}`}>
      <AreaChart
        h={260}
        data={data}
        dataKey="at"
        unit={unit}
        curveType="linear"
        withDots={false}
        withLegend={curves.length > 1}
        tickLine="x"
        series={curves.map(({ name }, index) => ({ name, color: colours[index]! }))}
        referenceLines={marks.map(({ number, atSeconds }) => ({
          x: atSeconds,
          label: String(number),
          labelPosition: 'top',
          color: 'var(--mantine-color-dimmed)',
        }))}
        areaProps={{ isAnimationActive: false }}
        areaChartProps={{ accessibilityLayer: false, margin: { top: 16 } }}
        yAxisProps={{ allowDecimals: false, width: 44 }}
        xAxisProps={{
          type: 'number',
          domain: [0, points * stepSeconds],
          tickFormatter: formatPosition,
          interval: 'preserveStartEnd',
          minTickGap: 40,
        }}
        tooltipProps={{ labelFormatter: (at) => formatPosition(Number(at)) }}
      />
    </div>
  );
}
