// Runs every command of the README, on the Node that runs this.
import { readmeCommands, runInClone } from './readme-commands.mjs';

for (const command of readmeCommands) runInClone(command);
