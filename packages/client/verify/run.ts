// node packages/client/verify/run.ts [LANGUAGE ...]: runs the verification of each language that this machine has, on genuine webhooks and
// on others.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The known answer of Standard Webhooks. Its time is given as the present. */
const genuine = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  time: '1614265330',
  now: '1614265330',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  body: '{"test": 2432232314}',
};
type Case = typeof genuine;

const cases: readonly (Partial<Case> & { isGenuine: boolean })[] = [
  { isGenuine: true },
  { isGenuine: true, signature: `v1,AAAA ${genuine.signature}` },
  { isGenuine: false, body: '{"test":2432232314}' },
  { isGenuine: false, id: 'msg_other' },
  { isGenuine: false, secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
  { isGenuine: false, secret: '' },
  { isGenuine: false, now: '1614265631' },
  { isGenuine: false, time: 'soon' },
  { isGenuine: false, signature: '' },
];

interface Language {
  /** The program that must be on this machine. */
  program: string;
  file: string;
  /** Prints true or false. Its arguments are the values of a case, in their order. */
  main: string;
  /** Makes the program, for languages that are compiled. */
  build?: (main: string) => string[];
  command: (main: string) => string[];
}

const languages: Record<string, Language> = {
  python: {
    program: 'python3',
    file: 'main.py',
    main: `import sys
from verify import verify_webhook
secret, id, time, now, signature, body = sys.argv[1:]
headers = {"webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature}
print(str(verify_webhook(body.encode(), headers, secret, now=int(now))).lower())`,
    command: (main) => ['python3', main],
  },
  php: {
    program: 'php',
    file: 'main.php',
    main: `<?php
require __DIR__ . '/verify.php';
[, $secret, $id, $time, $now, $signature, $body] = $argv;
$headers = ['webhook-id' => $id, 'webhook-timestamp' => $time, 'webhook-signature' => $signature];
echo verify_webhook($body, $headers, $secret, (int) $now) ? 'true' : 'false';`,
    command: (main) => ['php', main],
  },
  ruby: {
    program: 'ruby',
    file: 'main.rb',
    main: `require_relative "verify"
secret, id, time, now, signature, body = ARGV
headers = { "webhook-id" => id, "webhook-timestamp" => time, "webhook-signature" => signature }
print verify_webhook(body, headers, secret, now: Time.at(now.to_i))`,
    command: (main) => ['ruby', main],
  },
  go: {
    program: 'go',
    file: 'main.go',
    main: `package main

import ("fmt"; "net/http"; "os"; "strconv"; "time")

func main() {
	a := os.Args[1:]
	header := http.Header{}
	header.Set("webhook-id", a[1])
	header.Set("webhook-timestamp", a[2])
	header.Set("webhook-signature", a[4])
	now, _ := strconv.ParseInt(a[3], 10, 64)
	fmt.Print(VerifyWebhook([]byte(a[5]), header, a[0], time.Unix(now, 0)))
}`,
    build: (main) => ['go', 'build', '-o', `${main}.bin`, main, join(main, '../verify.go')],
    command: (main) => [`${main}.bin`],
  },
};

const wanted = process.argv.slice(2);
for (const [name, language] of Object.entries(languages)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const result = run(language);
  if (result !== 'passed' && result !== 'not on this machine') process.exitCode = 1;
  process.stdout.write(`${name.padEnd(7)} ${result}\n`);
}

function run({ program, file, main, build, command }: Language): string {
  if (spawnSync(program, [program === 'go' ? 'version' : '--version']).error) return 'not on this machine';
  const folder = mkdtempSync(join(tmpdir(), 'service-verify-'));
  try {
    cpSync(import.meta.dirname, folder, { recursive: true });
    // A program of Go has one package.
    const go = join(folder, 'verify.go');
    writeFileSync(go, readFileSync(go, 'utf8').replace('package verify', 'package main'));
    writeFileSync(join(folder, file), main);
    const [compiler, ...parts] = build?.(join(folder, file)) ?? [];
    const built = compiler === undefined ? undefined : spawnSync(compiler, parts, { encoding: 'utf8' });
    if (built && built.status !== 0) return `failed: ${built.stderr}`;
    for (const { isGenuine, ...changes } of cases) {
      const [executable, ...args] = [
        ...command(join(folder, file)),
        ...Object.values({ ...genuine, ...changes }),
      ];
      const { stdout, stderr } = spawnSync(executable!, args, { encoding: 'utf8', timeout: 60_000 });
      // An empty secret may also be refused with an error.
      if ((stdout.trim() === 'true') !== isGenuine || (isGenuine && stderr !== ''))
        return `failed for ${JSON.stringify(changes)}: ${stdout}${stderr}`;
    }
    return 'passed';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
