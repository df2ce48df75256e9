import { expect, test } from 'vitest';
import { describeOptions, describeUsage, readCommandLine } from './command-line.ts';

const options = {
  label: { type: 'text', hint: 'LABEL', required: true, help: 'shown in lists' },
  rounds: { type: 'number', min: 1, isWhole: true, default: 3, help: 'medians are reported' },
  check: { type: 'number', min: 0, max: 5, or: 'all' },
  json: { type: 'flag' },
} as const;

const names = { noun: 'drill', known: ['one', 'two'] };
const read = (...args: string[]) => readCommandLine(args, { options, names });

test('options have their types and their defaults', () => {
  expect(read('--label', 'a', 'two')).toEqual({
    values: { label: 'a', rounds: 3, check: undefined, json: false },
    names: ['two'],
  });
  expect(read('--label=a', '--rounds', '5', '--check', 'all', '--json')?.values).toEqual({
    label: 'a',
    rounds: 5,
    check: 'all',
    json: true,
  });
});

test('one error names everything that is wrong', () => {
  expect(() => read('--rounds', '0.5', '--check', 'some', 'three')).toThrow(
    [
      '--check must be a number from 0 to 5.',
      '--rounds must be a whole number of at least 1.',
      'Missing: --label.',
      'There is no drill named three: one, two.',
    ].join('\n'),
  );
});

test.each([['--unknown'], ['--json=yes'], ['--label'], ['--rounds', '']])('%j is refused', (...args) => {
  expect(() => read('--label', 'a', ...args)).toThrow();
});

test('a program without names refuses arguments that are not options', () => {
  expect(() => readCommandLine(['one'], { options: {} })).toThrow('one');
});

test('help is wanted even when something is missing', () => {
  expect(read('--help')).toBeUndefined();
  expect(read('-h')).toBeUndefined();
});

test('the help text lists hints, texts and defaults', () => {
  expect(describeUsage(options)).toBe('--label LABEL [--rounds N] [--check all|N] [--json]');
  expect(describeOptions(options).split('\n')).toEqual([
    '  --label LABEL  shown in lists',
    '  --rounds N     medians are reported (3)',
    '  --check all|N',
    '  --json',
    '  --help',
  ]);
});
