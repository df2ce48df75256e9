import '../../components/choices.css';
import { Input, Radio } from '@mantine/core';
import { allPresets, presets } from '@service/catalogue';
import type { ReactNode } from 'react';
import styles from './access-picker.module.css';
import { choosePreset, type Access } from './access.ts';
import { ScopeGrid } from './scope-grid.tsx';

interface ScopePickerProps {
  access: Access;
  onChange: (access: Access) => void;
  error?: ReactNode;
  /** The text of each preset: with its surfaces, or only with its scopes. */
  text: 'description' | 'scopesDescription';
}

const custom = 'Only the scopes that you select below.';

/** A preset, and the scopes one by one. */
export function ScopePicker({ access, onChange, error, text }: ScopePickerProps) {
  const choices = [
    ...allPresets.map((id) => ({ value: id as string, label: presets[id].label, description: presets[id][text] })),
    { value: 'custom', label: 'Custom', description: custom },
  ];
  const choose = (value: string) =>
    onChange(choosePreset(access, allPresets.find((id) => id === value) ?? null));
  return (
    <>
      <Radio.Group label="Access" value={access.preset ?? 'custom'} onChange={choose}>
        <div className={styles['presets']}>
          {choices.map(({ value, label, description }) => (
            <Radio.Card key={value} value={value} className={styles['preset']} aria-label={label}>
              <span className={styles['presetName']}>{label}</span>
              <span className={styles['presetText']}>{description}</span>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      <Input.Wrapper label="Scopes" labelElement="div" error={error}>
        <ScopeGrid access={access} onChange={onChange} />
      </Input.Wrapper>
    </>
  );
}
