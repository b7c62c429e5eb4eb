/** Writes a scenario as the text of a file, with each row on one line if it fits. */
import { Document, visit } from 'yaml';
import type { ScenarioForm } from './sections/index.ts';

/** @param file decides the format: JSON for `.json`, else YAML */
export const writeScenario = (scenario: ScenarioForm, file: string): string => {
  if (file.toLowerCase().endsWith('.json')) return `${JSON.stringify(scenario, null, 2)}\n`;
  const document = new Document(scenario, { aliasDuplicateObjects: false });
  visit(document, {
    Collection: (_key, node, path) => {
      if (path.length < SECTION_DEPTH || JSON.stringify(node).length > WIDTH) return undefined;
      node.flow = true;
      return visit.SKIP;
    },
  });
  return document.toString({ lineWidth: 0 });
};

/** Depth of the rows below `environments: NAME: SECTION:`; each name counts as a pair and a value. */
const SECTION_DEPTH = 6;

const WIDTH = 130;
