import { playScripts } from './play-scripts.ts';

playScripts('documents');
