// The layout of mails is made of MJML.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { infraFolder, judgeProgram } from './judge-program.ts';

const layout = join(infraFolder, '../modules/mails/src/content/layout');

test('layout.html is made of layout.mjml', () => {
  const settings = ['--config.beautify', 'false', '--config.validationLevel', 'strict'];
  const args = [
    judgeProgram('mjml/bin/mjml'),
    ...settings,
    '--stdout',
    '--noStdoutFileComment',
    `${layout}.mjml`,
  ];
  const made = execFileSync(process.execPath, args, { encoding: 'utf8' });
  expect(made.trim()).toBe(readFileSync(`${layout}.html`, 'utf8').trim());
});
