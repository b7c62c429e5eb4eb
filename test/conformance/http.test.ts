/** The table of cases, over HTTP. */
import { byHttp, testCases } from './doors.ts';

testCases(byHttp);
