import type { Issue } from '@service/errors';
import type { BranchFields } from './fields.ts';

/** Problems of a branch as a whole. Each single field is valid. */
export function branchProblems({
  via,
  conditions = [],
  promptText = null,
  promptAtSeconds = null,
}: Partial<BranchFields>): Issue[] {
  if (via === undefined) return [];
  const issues: Issue[] = [];
  if (via === 'condition' && conditions.length === 0)
    issues.push({ path: 'conditions', message: 'A branch via condition needs at least one condition.' });
  if (via !== 'condition' && conditions.length > 0)
    issues.push({ path: 'conditions', message: 'Only for a branch via condition.' });
  if (via === 'choice') return issues;
  if (promptText !== null) issues.push({ path: 'promptText', message: 'Only for a branch via choice.' });
  if (promptAtSeconds !== null)
    issues.push({ path: 'promptAtSeconds', message: 'Only for a branch via choice.' });
  return issues;
}
