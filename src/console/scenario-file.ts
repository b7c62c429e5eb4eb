/** Scenario files in a browser: loaded by the console when a person exports or imports one. */
export { parse } from 'yaml';
export { writeScenario } from '../scenario/scenario-text.ts';
