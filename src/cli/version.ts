import { ownTool } from '../suite/plan/own-tool.ts';

export const { version } = ownTool;
