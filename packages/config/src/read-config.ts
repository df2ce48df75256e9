import { loadEnvFile } from 'node:process';
import type { z } from 'zod';

/** An invalid configuration. Its message has a line for each problem, without values. */
export class ConfigError extends Error {}

/** Parses variables with a zod object schema. An empty string counts as unset, as in a .env file. Throws ConfigError. */
export function readConfig<Schema extends z.ZodObject>(
  schema: Schema,
  variables: Record<string, string | undefined>,
): z.infer<Schema> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => (variables[name] ? [[name, variables[name]]] : [])),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    // A rule about several variables also applies to a default value.
    const isGiven = name in given || issue.code === 'custom';
    return `  ${name}: ${isGiven ? issue.message : 'is required'}`;
  });
  throw new ConfigError(`Bad configuration:\n${[...new Set(problems)].join('\n')}`);
}

const secretNames = /KEY|SECRET|PASSWORD|TOKEN/;

/** The configuration for a log line: secrets as set or unset, URLs without their password. */
export function describeConfig(config: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, describeValue(name, value)]),
  );
}

function describeValue(name: string, value: unknown): unknown {
  if (secretNames.test(name))
    return value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
      ? 'unset'
      : 'set';
  if (typeof value === 'string' && /^\w+:\/\/[^/]*@/.test(value))
    return value.replace(/:\/\/[^@/]*@/, '://***@');
  return value;
}

/** Reads `.env` in the current folder if it exists. It does not override variables that are set. */
export function loadLocalEnvFile(): void {
  try {
    loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
