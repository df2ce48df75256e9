import { z } from 'zod';

/** The creator of an API key. A member is kept by id and name, so that both can be read after they have left. */
export const KeyCreatorOutput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('member'), id: z.uuid(), name: z.string() }),
  z.object({ kind: z.literal('operator') }),
  // Keys that are older than this record.
  z.object({ kind: z.literal('unknown') }),
]);

export type KeyCreator = z.infer<typeof KeyCreatorOutput>;
