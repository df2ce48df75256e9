import { id } from '@service/trpc';
import { z } from 'zod';
import { defineEventType, isIdIn, oncePer, seconds, someId } from './define-event-type.ts';

const sampleSegmentId = '019aa1ca-0b7e-7a35-b7c0-6c1de2a4f913';

export const adaptiveEvents = {
  branch_taken: defineEventType({
    type: 'branch_taken',
    title: 'Took a branch',
    group: 'Adaptive webinars',
    when: 'A viewer takes a branch',
    sentence: 'a viewer takes {branchId|a branch}',
    description: 'A viewer of an adaptive webinar takes a branch.',
    data: z.looseObject({ branch_id: someId('branch'), segment_id: someId('segment it leads to') }),
    sample: { branch_id: '019aa1cb-64d0-7e0e-8f0f-0f5f5a3d7c21', segment_id: sampleSegmentId },
    params: z
      .strictObject({ branchId: id('branch').optional().describe('Only this branch. Default: any.') })
      .meta({ id: 'BranchTakenParams' })
      .prefault({}),
    controls: { branchId: { label: 'Branch', control: 'branch' } },
    matches: { branchId: isIdIn('branch_id') },
    subject: oncePer('branch_id'),
    firesPer: { noun: 'branch', param: 'branchId' },
  }),

  segment_completed: defineEventType({
    type: 'segment_completed',
    title: 'Completed a segment',
    group: 'Adaptive webinars',
    when: 'A viewer completes a segment',
    sentence: 'a viewer completes {segmentId|a segment}',
    description: 'A viewer of an adaptive webinar completes a segment.',
    data: z.looseObject({
      segment_id: someId('segment'),
      watch_duration_seconds: seconds('The watch time of the segment.'),
    }),
    sample: { segment_id: sampleSegmentId, watch_duration_seconds: 312 },
    params: z
      .strictObject({ segmentId: id('segment').optional().describe('Only this segment. Default: any.') })
      .meta({ id: 'SegmentCompletedParams' })
      .prefault({}),
    controls: { segmentId: { label: 'Segment', control: 'segment' } },
    matches: { segmentId: isIdIn('segment_id') },
    subject: oncePer('segment_id'),
    firesPer: { noun: 'segment', param: 'segmentId' },
  }),
};
