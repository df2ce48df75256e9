import type { Issue } from '@service/errors';
import type { BranchFields } from './segment-fields.ts';

/** Problems between the fields of a branch. Each field is valid by itself. */
export function branchProblems({
  via,
  conditions = [],
  promptText = null,
  promptAtSeconds = null,
}: Partial<BranchFields>): Issue[] {
  if (via === undefined) return [];
  const issues: Issue[] = [];
  if (via === 'condition' && conditions.length === 0)
    issues.push({ path: 'conditions', message: 'A condition branch needs at least one condition.' });
  if (via !== 'condition' && conditions.length > 0)
    issues.push({ path: 'conditions', message: 'Only a condition branch can have conditions.' });
  if (via === 'choice') return issues;
  if (promptText !== null)
    issues.push({ path: 'promptText', message: 'Only a choice branch can have a prompt.' });
  if (promptAtSeconds !== null)
    issues.push({ path: 'promptAtSeconds', message: 'Only a choice branch can have a prompt.' });
  return issues;
}
