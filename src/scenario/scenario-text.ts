/** Writes a scenario as the text of a file, with each row on one line if it fits. */
import { Document, visit } from 'yaml';
import type { ScenarioForm } from './sections/index.ts';

/** @param file its extension decides the format: JSON for `.json`, YAML for any other */
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

/**
 * The depth of a row below `environments: NAME: SECTION:` in the YAML tree, where each name adds two levels: a pair and
 * its value.
 */
const SECTION_DEPTH = 6;

const WIDTH = 130;
