// Arrays as parameters in the binary format of Postgres
// (https://github.com/postgres/postgres/blob/master/src/backend/utils/adt/arrayfuncs.c, array_recv). As text, each element is escaped,
// parsed and converted: for 13 columns that costs Postgres twice as much.
import { toSnakeCase } from './row.ts';

/** An element of an array: the OID of its type, and how it is written. */
interface Element<Value> {
  oid: number;
  /** The most bytes that a value needs. */
  size(value: Value): number;
  /** Writes the value and returns its length in bytes. */
  write(buffer: Buffer, value: Value, at: number): number;
}

/** The values of hexadecimal digits, by the code of the character. */
const digits = new Uint8Array(128);
for (let value = 0; value < 16; value += 1) {
  const digit = value.toString(16);
  for (const each of [digit, digit.toUpperCase()]) digits[each.charCodeAt(0)] = value;
}

/** Writes an id with its hyphens. `Buffer.write` with `hex` takes four times as long, because it needs the id without hyphens. */
function writeId(buffer: Buffer, id: string, at: number): number {
  let next = at;
  for (let place = 0; place < id.length; place += 2) {
    if (id[place] === '-') place += 1;
    buffer[next] = (digits[id.charCodeAt(place)]! << 4) | digits[id.charCodeAt(place + 1)]!;
    next += 1;
  }
  return next - at;
}

const element = <Value>(definition: Element<Value>): Element<Value> => definition;

/** 1 January 2000 in UTC: the zero of times in Postgres, in epoch milliseconds. */
const zeroMs = 946_684_800_000;

const elements = {
  uuid: element<string>({
    oid: 2950,
    size: () => 16,
    write: writeId,
  }),
  smallint: element<number>({
    oid: 21,
    size: () => 2,
    write: (buffer, value, at) => buffer.writeInt16BE(value, at) - at,
  }),
  integer: element<number>({
    oid: 23,
    size: () => 4,
    write: (buffer, value, at) => buffer.writeInt32BE(value, at) - at,
  }),
  float8: element<number>({
    oid: 701,
    size: () => 8,
    write: (buffer, value, at) => buffer.writeDoubleBE(value, at) - at,
  }),
  timestamptz: element<Date>({
    oid: 1184,
    size: () => 8,
    write(buffer, time, at) {
      const microseconds = (time.getTime() - zeroMs) * 1000;
      buffer.writeInt32BE(Math.floor(microseconds / 2 ** 32), at);
      return buffer.writeInt32BE(microseconds | 0, at + 4) - at;
    },
  }),
  text: element<string>({
    oid: 25,
    // A UTF-16 unit is at most three bytes of UTF-8.
    size: (text) => text.length * 3,
    write: (buffer, text, at) => buffer.write(text, at, 'utf8'),
  }),
};

type Elements = typeof elements;
type ValueOf<Type extends keyof Elements> = Elements[Type] extends Element<infer Value> ? Value : never;

/** Fields of rows, with their types in Postgres. */
type Types = Readonly<Record<string, keyof Elements>>;

/**
 * `unnest((select $1::uuid[]), …) as result (delivery_id, …)`: a row for each element of the parameters of `toArrays`, which are the first
 * ones. The subselects hide the lengths from the planner. Otherwise it would make a new plan for each call with few rows.
 */
export function unnestArrays(alias: string, types: Types): string {
  const parameters = Object.values(types).map((type, index) => `(select $${index + 1}::${type}[])`);
  return `unnest(${parameters.join(', ')}) as ${alias} (${Object.keys(types).map(toSnakeCase).join(', ')})`;
}

/** The parameters of `unnestArrays`: an array for each field. Throws a RangeError for a number that its type does not have. */
export const toArrays = <Of extends Types>(
  types: Of,
  rows: readonly { readonly [Name in keyof Of]: ValueOf<Of[Name]> | null }[],
): Buffer[] =>
  Object.entries(types).map(([name, type]) =>
    toArray(
      elements[type] as Element<unknown>,
      rows.map((row) => row[name]),
    ),
  );

/** The header of an array with one dimension that begins at 1: dimensions, whether it has nulls, type, length, first index. */
const headerBytes = 20;
const lengthBytes = 4;

function toArray({ oid, size, write }: Element<unknown>, values: readonly unknown[]): Buffer {
  let bytes = headerBytes;
  for (const value of values) bytes += lengthBytes + (value === null ? 0 : size(value));
  const buffer = Buffer.allocUnsafe(bytes);
  for (const [index, field] of [1, 1, oid, values.length, 1].entries()) buffer.writeInt32BE(field, index * 4);
  let at = headerBytes;
  for (const value of values) {
    const length = value === null ? 0 : write(buffer, value, at + lengthBytes);
    buffer.writeInt32BE(value === null ? -1 : length, at);
    at += lengthBytes + length;
  }
  return buffer.subarray(0, at);
}
