import { notifications } from '@mantine/notifications';
import { failureOf } from '../../failure.ts';

/** Says in a notification that a change was refused, and why. `hasIssues`: with the problems of single fields. */
export function showRefusal(title: string, error: unknown, { hasIssues = false } = {}): void {
  const { message, issues } = failureOf(error);
  const texts = [message, ...(hasIssues ? issues.map((issue) => issue.message) : [])];
  notifications.show({ color: 'red', title, message: texts.join(' ') });
}
