import { instant } from '@service/trpc';
import { z } from 'zod';
import { ConditionOutput } from '../condition/condition.ts';
import type { Branch } from '../entities/branch.ts';
import type { Segment } from '../entities/segment.ts';
import { branchKind } from './segment-fields.ts';

export const SegmentOutput = z
  .object({
    id: z.uuid(),
    webinarId: z.uuid(),
    key: z.string(),
    title: z.string(),
    videoUrl: z.string().nullable(),
    durationSeconds: z.number().int(),
    isEntry: z.boolean(),
    isTerminal: z.boolean(),
    canvas: z.object({ x: z.number(), y: z.number() }).meta({ id: 'CanvasPosition' }),
    createdAt: instant(),
    updatedAt: instant(),
  })
  .meta({ id: 'Segment' });

export const BranchOutput = z
  .object({
    id: z.uuid(),
    webinarId: z.uuid(),
    fromSegmentId: z.uuid(),
    toSegmentId: z.uuid(),
    label: z.string(),
    priority: z.number().int(),
    via: branchKind,
    conditions: z.array(ConditionOutput),
    promptText: z.string().nullable(),
    promptAtSeconds: z.number().int().nullable(),
    choiceTimeoutSeconds: z.number().int(),
    createdAt: instant(),
    updatedAt: instant(),
  })
  .meta({ id: 'Branch' });

export const segmentToOutput = (segment: Segment): z.output<typeof SegmentOutput> => ({
  id: segment.id,
  webinarId: segment.webinarId,
  key: segment.key,
  title: segment.title,
  videoUrl: segment.videoUrl ?? null,
  durationSeconds: segment.durationSeconds,
  isEntry: segment.isEntry,
  isTerminal: segment.isTerminal,
  canvas: segment.canvas,
  createdAt: segment.createdAt.toISOString(),
  updatedAt: segment.updatedAt.toISOString(),
});

export const branchToOutput = (branch: Branch): z.output<typeof BranchOutput> => ({
  id: branch.id,
  webinarId: branch.webinarId,
  fromSegmentId: branch.fromSegmentId,
  toSegmentId: branch.toSegmentId,
  label: branch.label,
  priority: branch.priority,
  via: branch.via,
  conditions: branch.conditions,
  promptText: branch.promptText ?? null,
  promptAtSeconds: branch.promptAtSeconds ?? null,
  choiceTimeoutSeconds: branch.choiceTimeoutSeconds,
  createdAt: branch.createdAt.toISOString(),
  updatedAt: branch.updatedAt.toISOString(),
});
