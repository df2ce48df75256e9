// A folder with the program of an integrator, which is compiled as strictly as possible and run by this Node.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ProgramFolder extends AsyncDisposable {
  path: string;
  write(file: string, text: string): Promise<void>;
  /** Makes an installed package available to programs. */
  link(name: string, folder: string): Promise<void>;
  /** The compiler's errors for a program and all files that it imports, one line each. */
  compile(program: string): Promise<string[]>;
  /** Runs the program that was compiled last. Returns what it printed as JSON; fails when it failed. */
  run(args: readonly string[]): Promise<unknown>;
}

const settings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'esnext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: [],
    allowImportingTsExtensions: true,
    skipLibCheck: false,
  },
  files: ['program.ts', 'globals.d.ts'],
};

export async function createProgramFolder(): Promise<ProgramFolder> {
  const path = await mkdtemp(join(tmpdir(), 'service-client-'));
  const write = (file: string, text: string): Promise<void> => writeFile(join(path, file), text);
  await mkdir(join(path, 'node_modules'));
  await write('package.json', '{ "type": "module" }');
  await write('tsconfig.json', JSON.stringify(settings));
  // Of Node's globals the programs use one.
  await write('globals.d.ts', 'declare const process: { argv: string[] };\n');

  const execute = (command: string, args: string[]): Promise<{ output: string; failed: boolean }> =>
    new Promise((resolve) => {
      execFile(command, args, { cwd: path }, (error, stdout, stderr) =>
        resolve({ output: stdout + stderr, failed: error !== null }),
      );
    });

  return {
    path,
    write,
    link: (name, folder) => symlink(folder, join(path, 'node_modules', name)),
    async compile(program) {
      await write('program.ts', program);
      const compiler = join(import.meta.dirname, '../../node_modules/.bin/tsc');
      const { output } = await execute(compiler, ['--pretty', 'false', '-p', path]);
      return output.split('\n').filter((line) => line.includes('error TS'));
    },
    async run(args) {
      const { output, failed } = await execute(process.execPath, ['program.ts', ...args]);
      if (failed) throw new Error(output);
      return JSON.parse(output) as unknown;
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** The result of a program that makes a webinar, a subscription and a registration, and waits for the delivery. */
export const mainJobResult = {
  surfaces: ['rest', 'mcp'],
  title: 'Launch',
  match: 'contains',
  secret: 'whsec_',
  delivery: ['registered', 'success'],
  email: 'ada@example.com',
  refusal: 'webinar_not_found',
};
