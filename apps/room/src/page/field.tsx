import { useId } from 'react';
import styles from './field.module.css';
import { useTexts } from './texts.tsx';
import type { WebinarPage } from '@service/attendees';

interface FieldProps extends Pick<WebinarPage['form']['fields'][number], 'label' | 'type'> {
  name: string;
  required: boolean;
  options?: readonly string[];
  autoComplete?: string | undefined;
  defaultValue?: string | undefined;
  problem: string | undefined;
}

const inputTypes = { text: 'text', email: 'email', phone: 'tel' } as const;

/** An input with its label and its problem. Labels name what is optional, because most fields of these forms are required. */
export function Field({ name, label, type, required, options, problem, ...input }: FieldProps) {
  const { form } = useTexts();
  const id = useId();
  const problemId = `${id}-problem`;
  const shared = {
    id,
    name,
    required,
    'aria-invalid': problem === undefined ? undefined : true,
    'aria-describedby': problem === undefined ? undefined : problemId,
  };
  const message = problem !== undefined && (
    <p id={problemId} className={styles['problem']}>
      {problem}
    </p>
  );
  if (type === 'checkbox')
    return (
      <div>
        <div className={styles['box']}>
          <input type="checkbox" {...shared} />
          <label htmlFor={id}>
            {label}
            {!required && <Optional />}
          </label>
        </div>
        {message}
      </div>
    );
  return (
    <div>
      <label className={styles['label']} htmlFor={id}>
        {label}
        {!required && <Optional />}
      </label>
      {type === 'select' ? (
        <select className={styles['input']} defaultValue="" {...shared}>
          <option value="">{form.choose}</option>
          {options?.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : (
        <input className={styles['input']} type={inputTypes[type]} {...shared} {...input} />
      )}
      {message}
    </div>
  );
}

function Optional() {
  const { form } = useTexts();
  return <span className={styles['optional']}> ({form.optional})</span>;
}
