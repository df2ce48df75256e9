import { useRef, useState, type KeyboardEvent } from 'react';
import { formatPosition } from '../../../time-text.ts';
import type { Branch, Segment } from '../../../trpc.ts';
import styles from './adaptive.module.css';
import { viaTexts } from './branch-values.ts';
import { layOut, neighbour, type Layout, type Place } from './layout.ts';
import type { EditedGraph } from './use-graph.ts';

const size = { width: 168, height: 56, columnGap: 92, rowGap: 28, margin: 44 };

/**
 * The segments and the ways between them. One tab stop: arrow keys go from segment to segment, Enter opens one. The list below it
 * has the same content as text.
 */
export function GraphView({ graph, onOpen }: { graph: EditedGraph; onOpen: (segmentId: string) => void }) {
  const frame = useRef<HTMLDivElement>(null);
  const { segments, branches, problems } = graph;
  const layout = layOut(segments, branches);
  const [focused, setFocused] = useState<string>();
  const stop = segments.some(({ id }) => id === focused) ? focused : segments[0]?.id;
  const width = 2 * size.margin + layout.columns * (size.width + size.columnGap) - size.columnGap;
  const height = 2 * size.margin + layout.rows * (size.height + size.rowGap) - size.rowGap + loopRoom;

  const move = (event: KeyboardEvent) => {
    const next = stop && neighbour(layout, stop, event.key);
    if (!next) return;
    event.preventDefault();
    setFocused(next);
    frame.current?.querySelector<HTMLElement>(`[data-segment="${next}"]`)?.focus();
  };

  return (
    <div className={styles['scroll']}>
      <div
        ref={frame}
        className={styles['graph']}
        role="group"
        aria-label="Graph of the segments. Arrow keys go from segment to segment."
        style={{ width, height }}
        onKeyDown={move}
      >
        <Lines branches={branches} layout={layout} width={width} height={height} />
        {segments.map((segment) => (
          <SegmentNode
            key={segment.id}
            segment={segment}
            place={layout.places.get(segment.id)!}
            hasProblem={problems.some(({ segmentId }) => segmentId === segment.id)}
            isStop={segment.id === stop}
            onFocus={() => setFocused(segment.id)}
            onOpen={() => onOpen(segment.id)}
          />
        ))}
      </div>
    </div>
  );
}

/** Room below the lowest row for ways that lead back. */
const loopRoom = 40;

const leftOf = ({ column }: Place): number => size.margin + column * (size.width + size.columnGap);
const topOf = ({ row }: Place): number => size.margin + row * (size.height + size.rowGap);

interface SegmentNodeProps {
  segment: Segment;
  place: Place;
  hasProblem: boolean;
  isStop: boolean;
  onFocus: () => void;
  onOpen: () => void;
}

function SegmentNode({ segment, place, hasProblem, isStop, onFocus, onOpen }: SegmentNodeProps) {
  const { id, title, durationSeconds, isEntry, isTerminal } = segment;
  const marks = [
    formatPosition(durationSeconds),
    ...(isEntry ? ['first'] : []),
    ...(isTerminal ? ['ends'] : []),
    ...(hasProblem ? ['problem'] : []),
  ].join(' · ');
  return (
    <button
      type="button"
      className={styles['node']}
      style={{ left: leftOf(place), top: topOf(place), width: size.width, height: size.height }}
      data-segment={id}
      data-problem={hasProblem || undefined}
      data-entry={isEntry || undefined}
      tabIndex={isStop ? 0 : -1}
      title={title}
      aria-label={`${title}, ${marks}`}
      onFocus={onFocus}
      onClick={onOpen}
    >
      <span className={styles['node-title']}>{title}</span>
      <span className={styles['marks']}>{marks}</span>
    </button>
  );
}

interface LinesProps {
  branches: readonly Branch[];
  layout: Layout;
  width: number;
  height: number;
}

/** The branches. The list names them, so a screen reader skips the lines. */
function Lines({ branches, layout, width, height }: LinesProps) {
  return (
    <svg className={styles['lines']} width={width} height={height} aria-hidden>
      <defs>
        <marker
          id="branch-end"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
        >
          <path d="M0 0 L8 4 L0 8 z" className={styles['arrow']} />
        </marker>
      </defs>
      {branches.map((branch) => {
        const from = layout.places.get(branch.fromSegmentId);
        const to = layout.places.get(branch.toSegmentId);
        if (!from || !to) return null;
        return (
          <path
            key={branch.id}
            d={curveOf(from, to, height)}
            className={styles['line']}
            data-via={branch.via}
            markerEnd="url(#branch-end)"
          >
            <title>{`${viaTexts[branch.via].word}: ${branch.label}`}</title>
          </path>
        );
      })}
    </svg>
  );
}

/** The height of ways over other segments. */
const high = 18;

/** A curve to the right, above all segments for a long way, and below them for a way back. */
function curveOf(from: Place, to: Place, height: number): string {
  const startX = leftOf(from) + size.width;
  const startY = topOf(from) + size.height / 2;
  const endX = leftOf(to) - 2;
  const endY = topOf(to) + size.height / 2;
  if (to.column > from.column + 1) {
    // Above all segments, because a straight line would run behind those in between.
    return `M${startX} ${startY} C${startX + 50} ${startY} ${startX + 16} ${high} ${startX + 66} ${high} L${endX - 66} ${high} C${endX - 16} ${high} ${endX - 50} ${endY} ${endX} ${endY}`;
  }
  if (to.column > from.column) {
    const bend = (endX - startX) / 2;
    return `M${startX} ${startY} C${startX + bend} ${startY} ${endX - bend} ${endY} ${endX} ${endY}`;
  }
  const low = height - 12;
  return `M${startX} ${startY} C${startX + 44} ${startY} ${startX + 44} ${low} ${startX - 20} ${low} L${endX + 20} ${low} C${endX - 44} ${low} ${endX - 44} ${endY} ${endX} ${endY}`;
}
