import manifest from 'oatf/package.json' with { type: 'json' };
import type { Tool } from './plan.ts';

/** The tool that results name as their maker. */
export const ownTool: Tool = { name: 'oatf', version: manifest.version };
