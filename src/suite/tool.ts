import manifest from 'oatf/package.json' with { type: 'json' };
import type { Tool } from './plan.ts';

/** Who made results. */
export const tool: Tool = { name: 'oatf', version: manifest.version };
