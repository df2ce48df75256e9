export { createBuiltFiles } from './built-files.ts';
export { escapeHtml } from './first-paint.ts';
export { createMemoryFile, sendMemoryFile, type MemoryFile } from './memory-file.ts';
export { createPages, type Page, type Pages } from './pages.ts';
