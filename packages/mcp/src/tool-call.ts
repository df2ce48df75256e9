import { commonErrors, type Issue } from '@service/errors';
import { toKeyedRequest, type CallContent } from '@service/surface';
import { parseInput } from '@service/trpc';
import { z } from 'zod';
import { rowsMax } from './tool-schema.ts';
import type { Tool } from './tool.ts';

/** The idempotency key of a write: an argument for assistants, and a member of `_meta` for programs. */
const keyName = 'idempotency_key';

/** The version of the record that a change began with. */
const ifMatchName = 'if_match';

interface ToolArguments {
  arguments: Record<string, unknown>;
  meta: Record<string, unknown>;
}

/** The idempotency key as it was sent, also a malformed one, for Activity. */
export function sentKeyOf({ arguments: given, meta }: ToolArguments): string | undefined {
  const key = given[keyName] ?? meta[keyName];
  return typeof key === 'string' ? key : undefined;
}

/**
 * Reads an admitted call of a tool. The fingerprint of a write with a key is the name of the tool and its arguments without the key.
 * Throws validation_failed, malformed_idempotency_key.
 */
export function readToolCall(tool: Tool, { arguments: given, meta }: ToolArguments): CallContent {
  if (!tool.isWrite) return { keyed: undefined, input: () => inputOf(tool, given) };
  const { [keyName]: argument, ...rest } = given;
  const key = keyOf(argument, meta[keyName]);
  const keyed = key === undefined ? undefined : toKeyedRequest(key, [tool.name], rest);
  if (!tool.isEdit) return { keyed, input: () => inputOf(tool, rest) };
  const { [ifMatchName]: version, ...input } = rest;
  return { keyed, ifMatch: ifMatchOf(version), input: () => inputOf(tool, input) };
}

/** As `If-Match` of REST: a version without quotes is an ETag of it. */
function ifMatchOf(version: unknown): string | undefined {
  if (version === undefined) return undefined;
  if (typeof version !== 'string')
    throw commonErrors.validation_failed({ issues: [{ path: ifMatchName, message: 'Must be a string.' }] });
  return /^\w+$/.test(version) ? `"${version}"` : version;
}

function keyOf(argument: unknown, meta: unknown): string | undefined {
  const issues: Issue[] = [];
  for (const key of [argument, meta]) {
    if (key !== undefined && typeof key !== 'string')
      issues.push({ path: keyName, message: 'Must be a string.' });
  }
  if (argument !== undefined && meta !== undefined && argument !== meta)
    issues.push({ path: keyName, message: 'The argument and _meta have different keys.' });
  if (issues.length > 0) throw commonErrors.validation_failed({ issues });
  return (argument ?? meta) as string | undefined;
}

/** A list has fewer rows than over REST. */
function inputOf({ procedure, isPaged, takesLimit }: Tool, given: Record<string, unknown>): unknown {
  if (!procedure.input) return parseInput(z.strictObject({}), given);
  const { limit } = given;
  if (takesLimit && typeof limit === 'number' && limit > rowsMax)
    throw commonErrors.validation_failed({ issues: [{ path: 'limit', message: `At most ${rowsMax}.` }] });
  return isPaged && limit === undefined ? { ...given, limit: rowsMax } : given;
}
