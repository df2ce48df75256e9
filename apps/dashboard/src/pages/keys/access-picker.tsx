import { Checkbox, Group, Input, Radio } from '@mantine/core';
import type { ReactNode } from 'react';
import type { KeyOptions, Surface } from '../../trpc.ts';
import styles from './access-picker.module.css';
import { choosePreset, toggleSurface, type Access, type PresetId } from './access.ts';
import { ScopeGrid } from './scope-grid.tsx';

interface AccessPickerProps {
  options: KeyOptions;
  access: Access;
  onChange: (access: Access) => void;
  scopesError: ReactNode;
  surfacesError: ReactNode;
}

const presetTexts: Record<PresetId, string> = {
  full: 'Read and write everything, over REST and MCP.',
  read: 'Read everything, over REST and MCP.',
  custom: 'Only the scopes that you select below.',
};

const surfaceTexts: Record<Surface, string> = { rest: 'Calls to /api/v1', mcp: 'AI tools that use MCP' };

export function AccessPicker({ options, access, onChange, scopesError, surfacesError }: AccessPickerProps) {
  const presets = [...options.presets, { id: 'custom' as const, label: 'Custom' }];
  return (
    <>
      <Radio.Group
        label="Access"
        value={access.preset}
        onChange={(preset) => onChange(choosePreset(access, preset, options))}
      >
        <div className={styles['presets']}>
          {presets.map(({ id, label }) => (
            <Radio.Card key={id} value={id} className={styles['preset']} aria-label={label}>
              <span className={styles['presetName']}>{label}</span>
              <span className={styles['presetText']}>{presetTexts[id]}</span>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      <Input.Wrapper label="Scopes" labelElement="div" error={scopesError}>
        <ScopeGrid options={options} access={access} onChange={onChange} />
      </Input.Wrapper>
      <Input.Wrapper label="Surfaces" labelElement="div" error={surfacesError}>
        <Group gap="sm">
          {options.surfaces.map(({ id, label }) => (
            <Checkbox
              key={id}
              className={styles['surface']}
              label={label}
              description={surfaceTexts[id]}
              checked={access.surfaces.includes(id)}
              onChange={() => onChange(toggleSurface(access, id))}
            />
          ))}
        </Group>
      </Input.Wrapper>
    </>
  );
}
