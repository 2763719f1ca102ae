import { playScripts } from './play-scripts.ts';

playScripts('setup');
