import type { KeyCreator } from '@service/trpc';

/** The creator of a key, as its row keeps it. */
export interface CreatorColumns {
  createdByKind: KeyCreator['kind'];
  /** Of a member, as is the name. */
  createdById: string | null;
  createdByName: string | null;
}

export const columnsToCreator = ({ createdByKind: kind, ...member }: CreatorColumns): KeyCreator =>
  kind === 'member' ? { kind, id: member.createdById!, name: member.createdByName! } : { kind };

export const creatorToColumns = (creator: KeyCreator): CreatorColumns => ({
  createdByKind: creator.kind,
  createdById: creator.kind === 'member' ? creator.id : null,
  createdByName: creator.kind === 'member' ? creator.name : null,
});
