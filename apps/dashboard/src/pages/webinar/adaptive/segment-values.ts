// The form of a segment. Fields have the names of the API; the length is a text, because half a time can be typed.
import { CreateSegmentInput } from '@service/webinars/inputs';
import { formatPosition, parsePosition } from '../../../time-text.ts';
import type { Segment } from '../../../trpc.ts';
import { validateBy } from '../../../zod-form.ts';

export interface SegmentValues {
  title: string;
  key: string;
  videoUrl: string;
  durationSeconds: string;
  isTerminal: boolean;
}

/** Names of the fields, for the comparison of two people's changes. */
export const segmentLabels: Record<keyof SegmentValues, string> = {
  title: 'Title',
  key: 'Key',
  videoUrl: 'Video URL',
  durationSeconds: 'Length',
  isTerminal: 'The webinar ends with this segment',
};

export const emptySegment: SegmentValues = {
  title: '',
  key: '',
  videoUrl: '',
  durationSeconds: '',
  isTerminal: false,
};

export const toValues = ({ title, key, videoUrl, durationSeconds, isTerminal }: Segment): SegmentValues => ({
  title,
  key,
  videoUrl: videoUrl ?? '',
  durationSeconds: formatPosition(durationSeconds),
  isTerminal,
});

/** The body of the call. Without a key the service makes one from the title. */
export const toBody = ({ title, key, videoUrl, durationSeconds, isTerminal }: SegmentValues) => ({
  title,
  ...(key.trim() !== '' && { key: key.trim() }),
  videoUrl: videoUrl.trim() === '' ? null : videoUrl,
  durationSeconds: parsePosition(durationSeconds) ?? Number.NaN,
  isTerminal,
});

/** The `validate` of the form: the API's own check, with words for a text that is no time. */
export const validateSegment =
  (webinarId: string) =>
  (values: SegmentValues): Record<string, string> => ({
    ...validateBy(CreateSegmentInput, (current: SegmentValues) => ({ webinarId, ...toBody(current) }))(
      values,
    ),
    ...(parsePosition(values.durationSeconds) === undefined && {
      durationSeconds: 'Write a time such as 5:00.',
    }),
  });
