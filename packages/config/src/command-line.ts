// Options of a program on its command line. One description gives the parser, its errors and the help text.
import { parseArgs } from 'node:util';
import { endProcess } from './end-process.ts';

export type CommandOption =
  | { type: 'flag'; help?: string }
  | { type: 'text'; hint: string; help?: string; required?: boolean }
  | NumberOption;

interface NumberOption {
  type: 'number';
  min: number;
  max?: number;
  isWhole?: boolean;
  /** A word that is allowed instead of a number. */
  or?: string;
  default?: number;
  hint?: string;
  help?: string;
}

type CommandOptions = Readonly<Record<string, CommandOption>>;

type ValueOf<Option> = Option extends { type: 'flag' }
  ? boolean
  : Option extends { type: 'number' }
    ?
        | number
        | (Option extends { or: infer Word extends string } ? Word : never)
        | (Option extends { default: number } ? never : undefined)
    : string | (Option extends { required: true } ? never : undefined);

export type CommandValues<Options> = { [Name in keyof Options]: ValueOf<Options[Name]> };

interface CommandLine<Options> {
  values: CommandValues<Options>;
  /** Arguments that are not options. */
  names: string[];
}

interface CommandSyntax<Options> {
  options: Options;
  /** Allowed arguments that are not options, and the word for one of them. None are allowed when left out. */
  names?: { noun: string; known: readonly string[] };
  /** Finds wrong combinations. */
  check?(values: CommandValues<Options>): string[];
}

/** Undefined when the help text is wanted. Throws one error that names everything that is wrong, a line each. */
export function readCommandLine<const Options extends CommandOptions>(
  args: readonly string[],
  { options, names, check }: CommandSyntax<Options>,
): CommandLine<Options> | undefined {
  const { values: given, positionals } = parseText(args, options, names !== undefined);
  if (given['help'] === true) return undefined;
  const problems: string[] = [];
  const values = Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      const value = given[name];
      if (option.type === 'flag') return [name, value === true];
      if (option.type === 'text') return [name, value];
      if (typeof value !== 'string') return [name, option.default];
      if (value === option.or) return [name, value];
      const problem = problemOf(value, option);
      if (problem) problems.push(`--${name} must be ${problem}.`);
      return [name, Number(value)];
    }),
  ) as CommandValues<Options>;
  const missing = Object.entries(options).filter(
    ([name, option]) => option.type === 'text' && option.required && !given[name],
  );
  if (missing.length > 0) problems.push(`Missing: ${missing.map(([name]) => `--${name}`).join(', ')}.`);
  const unknown = positionals.filter((name) => !names?.known.includes(name));
  if (names && unknown.length > 0)
    problems.push(`There is no ${names.noun} named ${unknown.join(', ')}: ${names.known.join(', ')}.`);
  problems.push(...(check?.(values) ?? []));
  if (problems.length > 0) throw new Error(problems.toSorted().join('\n'));
  return { values, names: positionals };
}

function parseText(args: readonly string[], options: CommandOptions, allowPositionals: boolean) {
  const types = Object.entries(options).map(
    ([name, { type }]) => [name, { type: type === 'flag' ? 'boolean' : 'string' }] as const,
  );
  const parsed = parseArgs({
    args: [...args],
    allowPositionals,
    options: { ...Object.fromEntries(types), help: { type: 'boolean', short: 'h' } },
  });
  return { ...parsed, values: parsed.values as Record<string, string | boolean | undefined> };
}

/** Reads the arguments of this process. Ends it after printing the help text, or the errors with the help text. */
export function readCommandLineOrExit<const Options extends CommandOptions>(
  help: string,
  syntax: CommandSyntax<Options>,
): CommandLine<Options> {
  try {
    const line = readCommandLine(process.argv.slice(2), syntax);
    if (line) return line;
    process.stdout.write(`${help}\n`);
    return endProcess(0);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}\n`);
    return endProcess(1);
  }
}

function problemOf(text: string, { min, max = Infinity, isWhole = false }: NumberOption): string | undefined {
  const value = Number(text);
  const isFine = text.trim() !== '' && value >= min && value <= max && (!isWhole || Number.isInteger(value));
  if (isFine) return undefined;
  return `a ${isWhole ? 'whole ' : ''}number ${max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`}`;
}

const flagOf = (name: string, option: CommandOption): string => {
  if (option.type === 'flag') return `--${name}`;
  return `--${name} ${option.hint ?? (option.type === 'number' && option.or ? `${option.or}|N` : 'N')}`;
};

/** All options in one line: `--account ACCOUNT_ID [--preset full|read]`. */
export const describeUsage = (options: CommandOptions): string =>
  Object.entries(options)
    .map(([name, option]) => {
      const flag = flagOf(name, option);
      return option.type === 'text' && option.required ? flag : `[${flag}]`;
    })
    .join(' ');

const helpWidth = 96;

/** One option a line, with its help text and its default. */
export function describeOptions(options: CommandOptions): string {
  const rows = Object.entries({ ...options, help: { type: 'flag' } as CommandOption }).map(
    ([name, option]) => {
      const standard = option.type === 'number' && option.default !== undefined ? ` (${option.default})` : '';
      return [flagOf(name, option), `${option.help ?? ''}${standard}`] as const;
    },
  );
  const width = Math.max(...rows.map(([flag]) => flag.length)) + 2;
  return rows.map(([flag, help]) => `  ${wrapBeside(flag.padEnd(width), help)}`.trimEnd()).join('\n');
}

/** Puts a text beside a heading, in lines that begin at the same column. */
export function wrapBeside(heading: string, text: string): string {
  const lines = text.match(new RegExp(`.{1,${helpWidth}}(?: |$)`, 'g')) ?? [''];
  return lines
    .map((line, index) => `${index === 0 ? heading : ' '.repeat(heading.length + 2)}${line.trimEnd()}`)
    .join('\n');
}
