/** The table of cases, with the mock in this process. */
import { inProcess, testCases } from './doors.ts';

testCases(inProcess);
