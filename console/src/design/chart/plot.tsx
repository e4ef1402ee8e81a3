import { useEffect, useEffectEvent, useRef, useState, type ReactElement } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Series, SeriesLook } from './series.ts';
import styles from './plot.module.css';

type PlotProps = {
  /** What is written below each place. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  readonly axis: (value: number) => string;
  /** What the drawing shows, for who does not see it. */
  readonly summary: string;
};

const HEIGHT = 220;
const LABEL_WIDTH = 64;
const BARS: Readonly<Partial<Record<SeriesLook, uPlot.Series.PathBuilder>>> = {
  ...(uPlot.paths.bars && {
    back: uPlot.paths.bars({ size: [0.72, 44], radius: 0.1 }),
    front: uPlot.paths.bars({ size: [0.44, 27], radius: 0.1 }),
  }),
};

/** A drawing of some series. Its page loads it when it is needed: no other page has uPlot. */
export function Plot({ labels, series, axis, summary }: PlotProps): ReactElement {
  const [place, setPlace] = useState<number>();
  const holder = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLUListElement>(null);
  const theme = useTheme();
  const draw = useEffectEvent((width: number): uPlot | undefined => {
    if (holder.current === null || legend.current === null) return undefined;
    const colours = [...legend.current.querySelectorAll('i')].map((one) => getComputedStyle(one).color);
    const options = optionsOf({ labels, series, axis, summary }, colours, getComputedStyle(holder.current), setPlace);
    const data = [labels.map((_, index) => index), ...series.map(({ points }) => points.map(({ value }) => value))];
    return new uPlot({ ...options, width, height: HEIGHT }, data as uPlot.AlignedData, holder.current);
  });
  useEffect(() => {
    let plot: uPlot | undefined;
    const observer = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width === 0) return;
      if (plot === undefined) plot = draw(width);
      else plot.setSize({ width, height: HEIGHT });
    });
    if (holder.current) observer.observe(holder.current);
    return () => {
      observer.disconnect();
      plot?.destroy();
    };
  }, [theme, labels, series]);
  return (
    <div className={styles.plot}>
      <ul ref={legend} className={styles.legend}>
        <li className={styles.place}>{place === undefined ? ' ' : labels[place]}</li>
        {series.map(({ name, look, points }) => (
          <li key={name}>
            <i className={styles[look]} aria-hidden="true" />
            {name}
            {place !== undefined && <b>{points[place]?.text}</b>}
          </li>
        ))}
      </ul>
      <div ref={holder} className={styles.canvas} role="img" aria-label={summary} />
    </div>
  );
}

function optionsOf(
  { labels, series, axis }: PlotProps,
  colours: readonly string[],
  { color, borderTopColor }: CSSStyleDeclaration,
  onPlace: (place: number | undefined) => void,
): Omit<uPlot.Options, 'width' | 'height'> {
  const shared = { stroke: color, font: '12px system-ui, sans-serif', ticks: { show: false } };
  const most = Math.max(0, ...series.flatMap(({ points }) => points.map(({ value }) => value ?? 0)));
  const least = Math.min(0, ...series.flatMap(({ points }) => points.map(({ value }) => value ?? 0)));
  return {
    legend: { show: false },
    padding: [8, 4, 0, 0],
    cursor: { y: false, drag: { setScale: false }, points: { show: false } },
    scales: {
      x: { time: false, range: () => [-0.6, labels.length - 0.4] },
      y: { range: () => [least, most === 0 ? 1 : most * 1.04] },
    },
    axes: [
      {
        ...shared,
        grid: { show: false },
        // Far enough from the zero of the other axis.
        gap: 10,
        size: 34,
        splits: (plot) => placesOf(labels.length, plot.bbox.width / devicePixelRatio),
        values: (_plot, splits) => splits.map((one) => labels[one] ?? ''),
      },
      {
        ...shared,
        grid: { stroke: borderTopColor, width: 1 },
        size: LABEL_WIDTH,
        incrs: WHOLE_STEPS,
        values: (_plot, splits) => splits.map(axis),
      },
    ],
    series: [{}, ...series.map(({ look }, index) => seriesOptions(look, colours[index] ?? color, labels.length))],
    hooks: { setCursor: [({ cursor: { idx } }) => onPlace(idx ?? undefined)] },
  };
}

/** Orders are counted whole, and money in whole units. */
const WHOLE_STEPS = Array.from({ length: 16 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();
const FEW = 45;

function seriesOptions(look: SeriesLook, colour: string, count: number): uPlot.Series {
  const paths = BARS[look];
  if (paths !== undefined) return { stroke: colour, fill: colour, width: 0, paths, points: { show: false } };
  return { stroke: colour, width: 2, points: { show: count < FEW, size: 5, fill: colour }, spanGaps: true };
}

/** Places whose labels do not touch. */
function placesOf(count: number, width: number): number[] {
  const step = Math.max(1, Math.ceil((count * LABEL_WIDTH) / Math.max(width, 1)));
  return Array.from({ length: Math.ceil(count / step) }, (_, place) => place * step);
}

const shownTheme = (): string => `${matchMedia('(prefers-color-scheme: dark)').matches} ${document.documentElement.dataset['theme'] ?? ''}`;

/** Changes whenever the colours do: a drawing does not follow them by itself. */
function useTheme(): string {
  const [theme, setTheme] = useState(shownTheme);
  useEffect(() => {
    const show = (): void => setTheme(shownTheme());
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const observer = new MutationObserver(show);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    dark.addEventListener('change', show);
    return () => {
      observer.disconnect();
      dark.removeEventListener('change', show);
    };
  }, []);
  return theme;
}
