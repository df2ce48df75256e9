// Preloaded into third-party programs, so that they end with the supervisor that started them.
process.once('disconnect', () => process.exit());
