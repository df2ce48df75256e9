import { ActionIcon, Button, Tooltip, type ButtonProps } from '@mantine/core';
import { IconCheck, IconCopy, IconX } from '@service/icons';
import styles from './copy.module.css';
import { useCopy } from './use-copy.ts';

const icons = { idle: IconCopy, copied: IconCheck, failed: IconX };

/** A small copy control. `label` names the copied thing: "Copy request id". */
export function CopyAction({ text, label }: { text: string; label: string }) {
  const [state, copy] = useCopy(text);
  const Icon = icons[state];
  const hint = { idle: label, copied: 'Copied', failed: 'Copying was blocked by the browser' }[state];
  return (
    <Tooltip label={hint}>
      <ActionIcon className={styles['icon']} aria-label={label} onClick={copy} size={24}>
        <Icon size={14} color={state === 'copied' ? 'var(--tone-good)' : 'var(--tone-quiet)'} />
      </ActionIcon>
    </Tooltip>
  );
}

interface CopyButtonProps extends ButtonProps {
  text: string;
  label: string;
  autoFocus?: boolean;
}

/** A copy button with a text. */
export function CopyButton({ text, label, ...props }: CopyButtonProps) {
  const [state, copy] = useCopy(text);
  const Icon = icons[state];
  const words = { idle: label, copied: 'Copied', failed: 'Copying was blocked' }[state];
  return (
    <Button variant="default" {...props} aria-label={label} leftSection={<Icon size={14} />} onClick={copy}>
      <span aria-live="polite">{words}</span>
    </Button>
  );
}

/** An id in short form; the whole id is copied. */
export function CopyableId({ id, name }: { id: string; name: string }) {
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 2, verticalAlign: 'middle' }}>
      <Tooltip label={id}>
        <code style={{ color: 'var(--mantine-color-dimmed)' }}>
          {id.length > 14 ? `…${id.slice(-12)}` : id}
        </code>
      </Tooltip>
      <CopyAction text={id} label={`Copy ${name}`} />
    </span>
  );
}

/** A text of code, and a button that copies it. `label` is the name of the button. */
export const CopyableCode = ({ text, label }: { text: string; label: string }) => (
  <span>
    <code>{text}</code> <CopyAction text={text} label={label} />
  </span>
);
