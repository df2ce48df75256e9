import type { Member } from '../../trpc.ts';

export type Role = Member['role'];

export const roleTexts: Record<Role, string> = { owner: 'Owner', member: 'Member' };
