import { Status, type StatusStyle } from './status.tsx';
import type { Webinar } from '../trpc.ts';

const styles: Record<Webinar['status'], StatusStyle & { word: string }> = {
  draft: { tone: 'quiet', isHollow: true, word: 'Draft' },
  published: { tone: 'good', word: 'Published' },
  archived: { tone: 'quiet', word: 'Archived' },
};

export function WebinarStatus({ status }: { status: Webinar['status'] }) {
  const { word, ...style } = styles[status];
  return <Status {...style}>{word}</Status>;
}
