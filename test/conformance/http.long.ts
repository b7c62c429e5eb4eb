/** The table of cases, over HTTP. In process it is a quick test. */
import { byHttp, testCases } from './doors.ts';

testCases(byHttp);
