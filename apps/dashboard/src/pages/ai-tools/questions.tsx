import { CopyAction } from '../../components/copy.tsx';
import styles from './ai-tools.module.css';

/** Each is played against the tools, in test/mcp/dialogues.test.ts and webinar-dialogues.test.ts. */
const questions = [
  'Why did the webhook for ada@example.com not arrive?',
  'Send every webhook again that has failed since noon.',
  'Set up next Tuesday’s webinar like last week’s, and send its registrations to our CRM.',
  'Who clicked the offer and did not buy?',
  'How did last week’s webinar do?',
  'What are the results of the poll, and what was said in the chat?',
  'Which API calls failed today?',
];

/** Questions to try first. */
export const Questions = () => (
  <ul className={styles['questions']} aria-label="Questions to ask">
    {questions.map((question) => (
      <li key={question}>
        <span>{question}</span>
        <CopyAction text={question} label={`Copy: ${question}`} />
      </li>
    ))}
  </ul>
);
