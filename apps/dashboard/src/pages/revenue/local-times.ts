import { formatExact } from '../../format.ts';

/** A sentence of the API with its times in the zone of the reader, as in the timeline beside it. The API writes them in UTC. */
export const toLocalTimes = (sentence: string): string =>
  sentence.replaceAll(
    /\bon (\d{4}-\d{2}-\d{2}) at (\d{2}:\d{2}:\d{2}) UTC\b/g,
    (_utc, day: string, time: string) => `on ${formatExact(`${day}T${time}Z`)}`,
  );
