// Preloaded into programs that are not ours: they shall not outlive the supervisor that started them.
process.once('disconnect', () => process.exit());
