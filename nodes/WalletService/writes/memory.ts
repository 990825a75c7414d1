import { SpentValue } from './spent-value';
import { UnknownCalls } from './unknown-calls';
import { WriteRecords } from './write-records';

/** What this process knows of its writes, whichever node, execution or tool they come from. */
export const records = new WriteRecords();
export const spentValue = new SpentValue();
export const unknownCalls = new UnknownCalls();
