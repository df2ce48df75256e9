// Hashing a password takes 110 ms of CPU, and the owners of the template sign in hundreds of times. So each process of tests remembers
// the hashes that it has made: the same password with the same salt has the same hash.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Done = (error: Error | null, key: Buffer) => void;
type Input = [password: string, salt: string, length: number, options: crypto.ScryptOptions];

// Files of tests share a process, and may each load this module.
const shared = globalThis as { passwordHashes?: Map<string, Buffer> };
if (shared.passwordHashes === undefined) remember((shared.passwordHashes = new Map()));

function remember(hashes: Map<string, Buffer>): void {
  const { scrypt } = crypto;
  crypto.scrypt = ((...given: [...Input, Done]) => {
    const input = given.slice(0, 4) as Input;
    const done = given[4];
    const name = JSON.stringify(input);
    const known = hashes.get(name);
    if (known !== undefined) setImmediate(done, null, Buffer.from(known));
    else
      scrypt(...input, (error, key) => {
        if (error === null) hashes.set(name, key);
        done(error, key);
      });
  }) as typeof crypto.scrypt;
  syncBuiltinESMExports();
}
