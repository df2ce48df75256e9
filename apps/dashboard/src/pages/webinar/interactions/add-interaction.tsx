import { Button, Menu } from '@mantine/core';
import type { InteractionType } from '@service/webinars/inputs';
import { IconChevronDown, IconPlus } from '@tabler/icons-react';
import { GuardedButton } from '../../../components/guarded-button.tsx';
import styles from './interactions.module.css';
import { typeLooks } from './interaction-types.ts';

/** The limit of the service. Its own constant would bring all of its schemas into the list. */
const interactionsMax = 200;

const types = Object.keys(typeLooks) as InteractionType[];

interface AddInteractionProps {
  /** The interactions that the webinar has. */
  count: number;
  onAdd: (type: InteractionType) => void;
}

export function AddInteraction({ count, onAdd }: AddInteractionProps) {
  if (count >= interactionsMax) {
    const reason = `A webinar has at most ${interactionsMax} interactions. Delete one first.`;
    return (
      <GuardedButton reason={reason} leftSection={<IconPlus size={15} />} onClick={() => undefined}>
        Add interaction
      </GuardedButton>
    );
  }
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button leftSection={<IconPlus size={15} />} rightSection={<IconChevronDown size={14} />}>
          Add interaction
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {types.map((type) => {
          const { icon: Icon, word, use, tone } = typeLooks[type];
          return (
            <Menu.Item key={type} leftSection={<Icon size={16} color={tone} />} onClick={() => onAdd(type)}>
              {word}
              <span className={styles['use']}>{use}</span>
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
