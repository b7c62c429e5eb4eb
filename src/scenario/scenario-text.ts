/** A scenario as the text of a file, short enough to read: what fits on a line is on one. */
import { Document, visit } from 'yaml';
import type { ScenarioForm } from './sections/index.ts';

/** @param file whose name asks for JSON, or else gets YAML */
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

/** Below `environments: NAME: SECTION:`, each of which is a pair of a name and its value. */
const SECTION_DEPTH = 6;

const WIDTH = 130;
