// Runs first in every npm script, on whatever Node the machine has: one clear line instead of a syntax error.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Node ${process.versions.node} is too old: this needs Node 22.18 or newer. ` +
      'npm ci normally brings Node 24 in the "node" package; it has no build for this platform, or optional dependencies were left out.',
  );
  process.exit(1);
}
