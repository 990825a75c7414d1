import { SpentValue } from '../policy/spent-value';
import { UnknownCalls } from './unknown-calls';
import { WriteRecords } from './write-records';

/** What this process knows of its writes, across all nodes, executions and tools. */
export const records = new WriteRecords();
export const spentValue = new SpentValue();
export const unknownCalls = new UnknownCalls();
