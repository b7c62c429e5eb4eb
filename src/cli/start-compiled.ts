/** The start command in the built program, where it takes the place of `start.ts` (esbuild.config.mjs). */
import type { Run } from './command.ts';
import { loadCompiled } from './compiled.ts';

const { start: compiled } = loadCompiled(new URL('./start.cjs', import.meta.url)) as { start: Run }; // it is start.ts

export const start = compiled;
