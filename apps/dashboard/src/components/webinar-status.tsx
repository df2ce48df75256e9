import { Status, type StatusLook } from './status.tsx';
import type { Webinar } from '../trpc.ts';

const looks: Record<Webinar['status'], StatusLook & { word: string }> = {
  draft: { tone: 'quiet', isHollow: true, word: 'Draft' },
  published: { tone: 'good', word: 'Published' },
  archived: { tone: 'quiet', word: 'Archived' },
};

export function WebinarStatus({ status }: { status: Webinar['status'] }) {
  const { word, ...look } = looks[status];
  return <Status {...look}>{word}</Status>;
}
