import { tool } from '../suite/tool.ts';

export const { version } = tool;
