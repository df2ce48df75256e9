import type { SourceRef } from '../source/source.ts';

/** The deliveries that a list shows: those of the workspace, of a webinar, or of a rule or subscription. */
export interface DeliveryScope {
  webinarId?: string | undefined;
  source?: SourceRef | undefined;
}
