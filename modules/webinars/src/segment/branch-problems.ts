import type { Issue } from '@service/errors';
import type { BranchFields } from './fields.ts';

/** What is wrong with a branch as a whole, its fields being sound each by itself. */
export function branchProblems({
  via,
  conditions = [],
  promptText = null,
  promptAtSeconds = null,
}: Partial<BranchFields>): Issue[] {
  if (via === undefined) return [];
  const issues: Issue[] = [];
  if (via === 'condition' && conditions.length === 0)
    issues.push({ path: 'conditions', message: 'A branch via condition needs at least one.' });
  if (via !== 'condition' && conditions.length > 0)
    issues.push({ path: 'conditions', message: 'Only of a branch via condition.' });
  if (via === 'choice') return issues;
  if (promptText !== null) issues.push({ path: 'promptText', message: 'Only of a branch via choice.' });
  if (promptAtSeconds !== null)
    issues.push({ path: 'promptAtSeconds', message: 'Only of a branch via choice.' });
  return issues;
}
